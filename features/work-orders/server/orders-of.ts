import type { CompanyId, Tx } from '../../../server/tenancy.ts'

interface SourceRef {
  kind: string
  id: number
}

/** Orders opened from an entity of another feature, newest first. */
export const ordersOf = (tx: Tx, company: CompanyId, source: SourceRef) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'status'])
    .where('company_id', '=', company)
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .orderBy('id', 'desc')
    .execute()

/** Latest orders for an asset of another feature, newest first. */
export const ordersOn = (tx: Tx, company: CompanyId, asset: SourceRef, most: number) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'title', 'status'])
    .where('company_id', '=', company)
    .where('asset_kind', '=', asset.kind)
    .where('asset_id', '=', asset.id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
