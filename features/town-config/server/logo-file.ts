import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { logoFiles } from '../contract.ts'
import { say } from '../../../shared/messages.ts'

export const logoPath = (company: CompanyId, file: string): string => `/logos/${company}/${file}`

/** Checks that the path is empty or a logo that this company uploaded. */
export async function checkLogo(tx: Tx, company: CompanyId, path: string): Promise<void> {
  if (path === '') return
  const [file] = /[0-9a-f-]{36}$/.exec(path) ?? []
  const existing =
    file !== undefined &&
    path === logoPath(company, file) &&
    (await tx
      .selectFrom('attachment')
      .select('id')
      .where('company_id', '=', company)
      .where('id', '=', file)
      .where('kind', '=', logoFiles.kind)
      .executeTakeFirst())
  if (!existing) {
    const text = say`This image was not uploaded for this municipality. Upload the logo here.`
    throw rejected(text, { logo: text })
  }
}
