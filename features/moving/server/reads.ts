import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import type { TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { noPlace } from '../../../shared/places.ts'
import { say } from '../../../shared/words.ts'
import { openOrder } from '../../work-orders/server/open-work-order.ts'
import { keptOrders, moveOrder } from '../../work-orders/server/orders.ts'
import { ordersOf } from '../../work-orders/server/orders-of.ts'
import { defineWorkOrderSource } from '../../work-orders/server/source.ts'
import { transition as step } from '../../../server/states.ts'
import { numberOf } from '../rules.ts'
import { staffPath } from './case.ts'
import type { Move } from './points.ts'

/** Meters of who comes and who leaves are read by work orders, which stand in the town's calendar. */

const SOURCE = 'move'
const LAST = 'final'
const FIRST = 'first'

const bySystem = ({ clock }: Call['context']): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId: '', kind: 'system' },
  clock,
  known: { id: null, name: say`Moves` },
})

/** What is to be read for a move, and when. */
const readsOf = (row: Move) => [
  ...(row.leaves_on
    ? [{ which: LAST, on: row.leaves_on, place: row.leaves_place, addressId: row.leaves_address_id }]
    : []),
  ...(row.enters_on
    ? [{ which: FIRST, on: row.enters_on, place: row.enters_place, addressId: row.enters_address_id }]
    : []),
]

/** Opens an order for each meter, where the town has a department that reads them. */
export async function orderReads(tx: Tx, call: Call, row: Move, department: number | null): Promise<void> {
  if (department === null) return
  for (const { which, on, place, addressId } of readsOf(row))
    await openOrder(
      tx,
      { context: call.context, town: call.company, who: bySystem(call.context) },
      {
        title: which === LAST ? say`Final meter read, ${row.number}` : say`First meter read, ${row.number}`,
        description: say`${row.name} moves on this day. Read the meter, and enter the read when the move is completed.`,
        kind: 'reading',
        severity: 2,
        place: { ...noPlace, text: place, addressId },
        dueOn: on,
        departmentId: department,
        asset: null,
        source: { kind: SOURCE, id: row.id },
        fileIds: [],
      },
    )
}

export const readsFor = (tx: Tx, company: CompanyId, moveId: number) =>
  ordersOf(tx, company, { kind: SOURCE, id: moveId })

const OPEN: readonly number[] = [0, 1, 3]

/** A move that was withdrawn needs no read. */
export async function cancelReads(tx: Tx, call: Call, row: Move): Promise<void> {
  for (const { id, status } of await readsFor(tx, call.company.id, row.id))
    if (OPEN.includes(status))
      await step(tx, keptOrders, {
        place: call.company.id,
        id,
        event: 'invalidate',
        who: bySystem(call.context),
        reason: say`Move ${row.number} was withdrawn.`,
      })
}

/** The newest reading of the only meter of an account. Of several meters nobody knows which one was read. */
export async function lastReadOf(
  tx: Tx,
  company: CompanyId,
  { account_id: account }: Pick<Move, 'account_id'>,
): Promise<{ reading: number; on: string } | null> {
  if (account === null) return null
  const { rows } = await sql<{ reading: number; on: string }>`
    SELECT DISTINCT ON (meter_number) reading, read_date::text AS on FROM meter_read
    WHERE company_id = ${company} AND account_id = ${account} ORDER BY meter_number, read_date DESC LIMIT 2`.execute(tx)
  return rows.length === 1 ? (rows[0] ?? null) : null
}

/**
 * Ends the work orders whose reading was entered with the move. Orders without a reading stay open.
 * @returns their numbers
 */
export async function endReads(
  tx: Tx,
  call: Call,
  row: Move,
  entered: { final: boolean; first: boolean },
): Promise<{ done: string[]; open: string[] }> {
  const company = call.company.id
  const orders = await tx
    .selectFrom('work_order')
    .select(['id', 'number', 'place', 'due_on'])
    .where('company_id', '=', company)
    .where('source_kind', '=', SOURCE)
    .where('source_id', '=', row.id)
    .where('status', 'in', [0, 1, 3])
    .orderBy('id')
    .execute()
  const known = readsOf(row).filter(({ which }) => (which === LAST ? entered.final : entered.first))
  const ended = { done: [] as string[], open: [] as string[] }
  for (const { id, number, place, due_on } of orders) {
    const isEntered = known.some((one) => one.place === place && one.on === due_on)
    ended[isEntered ? 'done' : 'open'].push(number)
    if (!isEntered) continue
    await moveOrder(tx, call.context, company, { orderId: id, event: 'read', who: bySystem(call.context) })
  }
  return ended
}

/** Reads that are not done yet follow the days of the move. */
export async function moveReads(tx: Tx, call: Call, before: Move, after: Move): Promise<void> {
  const days = new Map(readsOf(after).map(({ which, on }) => [which, on]))
  for (const { which, on, place } of readsOf(before)) {
    const day = days.get(which)
    if (!day || day === on) continue
    await tx
      .updateTable('work_order')
      .set({ due_on: day })
      .where('company_id', '=', call.company.id)
      .where('source_kind', '=', SOURCE)
      .where('source_id', '=', after.id)
      .where('place', '=', place)
      .where('status', 'in', [0, 1, 3])
      .execute()
  }
}

defineWorkOrderSource({
  kind: SOURCE,
  // The read is entered when the move is completed, by whoever has it before them.
  onMoved: async () => {},
  label: async (tx, company, ids) => {
    const rows = await tx
      .selectFrom('move_request')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .where('id', 'in', [0, ...ids])
      .execute()
    return new Map(rows.map(({ id, name }) => [id, { text: `${numberOf(id)} ${name}`, path: staffPath(id) }]))
  },
})
