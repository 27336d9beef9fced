import type { LaterUse } from '../../../server/imported-rows.ts'
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

/** Returns the rule that prevents the undo of imported subjects with an inspection. */
export const inspectionsOf = (kind: string, table: LaterUse['of']): LaterUse => ({
  ...{ from: 'inspection', column: 'subject_id', of: table, only: { subject_kind: kind }, cause: 'linked' },
})
