import { sql } from 'kysely'
import { conflict, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/messages.ts'
import { orderStates } from '../states.ts'
import { lockOrder, type Order } from './orders.ts'

/** Numbers of the states in which an order is open. */
const OPEN = [0, 1, 3] as const

interface SourceRef {
  kind: string
  id: number
}

/** Selects the orders of an entity of another feature, newest first: those opened from it, and those linked to it. */
export const ordersOf = (tx: Tx, company: CompanyId, source: SourceRef) =>
  tx
    .selectFrom('work_order')
    .select(['id', 'number', 'status'])
    .where('company_id', '=', company)
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .union(
      tx
        .selectFrom('work_order_source as s')
        .innerJoin('work_order as w', (join) =>
          join.onRef('w.company_id', '=', 's.company_id').onRef('w.id', '=', 's.order_id'),
        )
        .select(['w.id', 'w.number', 'w.status'])
        .where('s.company_id', '=', company)
        .where('s.source_kind', '=', source.kind)
        .where('s.source_id', '=', source.id),
    )
    .orderBy('id', 'desc')
    .execute()

/**
 * Links an open order to a further entity, and locks the order.
 * @throws 404 if the company has no such order, 409 if it is closed
 */
export async function linkOrder(tx: Tx, company: CompanyId, orderId: number, source: SourceRef): Promise<Order> {
  const order = await lockOrder(tx, company, orderId)
  if (!orderStates.states[order.status].open)
    throw conflict('wrong_status', say`${order.number}: ${translated(orderStates.labels[order.status])}.`)
  await tx
    .insertInto('work_order_source')
    .values({ company_id: company, order_id: orderId, source_kind: source.kind, source_id: source.id })
    .onConflict((on) => on.doNothing())
    .execute()
  return order
}

const NO_ORDER = 'No work order has this number. Choose one from the list.'

/** Finds an order by its number, without regard to case. @throws 422 if the company has no such order */
export async function orderNumbered(tx: Tx, company: CompanyId, number: string): Promise<{ id: number }> {
  const row = await tx
    .selectFrom('work_order')
    .select('id')
    .where('company_id', '=', company)
    .where('number', '=', number.toUpperCase())
    .executeTakeFirst()
  if (!row) throw rejected(NO_ORDER, { order: NO_ORDER })
  return row
}

/** Selects the open orders within a distance of a position in meters, nearest first. */
export async function openOrdersNear(tx: Tx, company: CompanyId, at: { x: number; y: number }, metres: number) {
  const here = sql`point(${at.x}::float8, ${at.y}::float8)`
  const { rows } = await sql<{ id: number; number: string; title: string; location: string }>`
    SELECT id, number, title, location FROM work_order
    WHERE company_id = ${company} AND is_open AND at <@ circle(${here}, ${metres}::float8) ORDER BY at <-> ${here}, id LIMIT 8`.execute(
    tx,
  )
  return rows
}

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
