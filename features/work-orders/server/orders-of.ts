import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** The orders that were opened from a thing of another feature, the newest first. */
export const ordersOf = (tx: Tx, company: CompanyId, source: { kind: string; id: number }) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'status'])
    .where('company_id', '=', company)
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .orderBy('id', 'desc')
    .execute()
