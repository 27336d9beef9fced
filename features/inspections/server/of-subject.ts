import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Returns the next scheduled inspection of a subject. Null if none is scheduled. */
export async function scheduledFor(tx: Tx, company: CompanyId, kind: string, id: number) {
  const row = await tx
    .selectFrom('inspection')
    .select(['id', 'number', 'due_on as dueOn'])
    .where('company_id', '=', company)
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where('status', '=', 'scheduled')
    .orderBy('due_on')
    .orderBy('id')
    .executeTakeFirst()
  return row ?? null
}
