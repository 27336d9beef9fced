import type { AppContext } from '../app-context.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Finds a public file, such as a logo, by the company and file in its URL. Null if it does not exist. */
export async function findByAddress(context: AppContext, params: { company: string; file: string }, kind: string) {
  const id = /^\d{1,9}$/.test(params.company) ? Number(params.company) : 0
  const company = id > 0 && ID.test(params.file) ? await context.hosts.byId(id) : null
  if (!company) return null
  const row = await context.inCompany(company.id, (tx) =>
    tx
      .selectFrom('attachment')
      .select(['path', 'content_type', 'bytes'])
      .where('company_id', '=', company.id)
      .where('id', '=', params.file)
      .where('kind', '=', kind)
      .executeTakeFirst(),
  )
  return row?.path ? { ...row, path: row.path } : null
}
