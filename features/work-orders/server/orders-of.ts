import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Numbers of the states in which an order is open. */
const OPEN = [0, 1, 3] as const

interface SourceRef {
  kind: string
  id: number
}

/** Selects the orders opened from an entity of another feature, newest first. */
export const ordersOf = (tx: Tx, company: CompanyId, source: SourceRef) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'status'])
    .where('company_id', '=', company)
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .orderBy('id', 'desc')
    .execute()

/** Finds the orders opened from checklist items of inspections. */
export async function ordersOfItems(tx: Tx, company: CompanyId, items: readonly number[]) {
  const { rows } = await sql<{ item: number; id: number; number: string; status: number }>`
    SELECT source_id AS item, id, number, status FROM work_order
    WHERE company_id = ${company} AND source_kind = 'checklist_item' AND source_id = ANY (${[...items]}::bigint[]) ORDER BY id`.execute(
    tx,
  )
  return rows
}

/** Selects the open orders that were opened from an entity of another feature, with their location and due day. */
export const openOrdersOf = (tx: Tx, company: CompanyId, source: SourceRef) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'location', 'due_on'])
    .where('company_id', '=', company)
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .where('status', 'in', OPEN)
    .orderBy('id')
    .execute()

/** Changes the due day of an entity's open orders at one location. */
export const rescheduleOrdersOf = (
  tx: Tx,
  company: CompanyId,
  source: SourceRef,
  { location, dueOn }: { location: string; dueOn: string },
): Promise<unknown> =>
  tx
    .updateTable('work_order')
    .set({ due_on: dueOn })
    .where('company_id', '=', company)
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .where('location', '=', location)
    .where('status', 'in', OPEN)
    .execute()

/** Selects the latest orders for an asset of another feature, newest first. */
export const ordersOn = (tx: Tx, company: CompanyId, asset: SourceRef, max: number) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'title', 'status'])
    .where('company_id', '=', company)
    .where('asset_kind', '=', asset.kind)
    .where('asset_id', '=', asset.id)
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
