import type { Call } from '../../../server/call.ts'
import { transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { noLocation } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import {
  openOrder,
  workOrderStateStore,
  openOrdersOf,
  ordersOf,
  rescheduleOrdersOf,
  defineWorkOrderSource,
} from '../../work-orders/api.ts'
import { numberOf, staffPath } from '../rules.ts'
import type { Move } from './points.ts'
import { openWorkOrders } from '../../work-orders/rules.ts'

/** Meter readings for moves are work orders, which appear in the company's calendar. */

const SOURCE = 'move'
const LAST = 'final'
const FIRST = 'first'

const bySystem = ({ clock }: Call['context']): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Moves` },
})

/** Returns the meter readings that a move needs, with their dates. */
const neededReadingsOf = (row: Move) => [
  ...(row.leaves_on
    ? [{ which: LAST, on: row.leaves_on, location: row.leaves_premise, addressId: row.leaves_address_id }]
    : []),
  ...(row.enters_on
    ? [{ which: FIRST, on: row.enters_on, location: row.enters_premise, addressId: row.enters_address_id }]
    : []),
]

/** Opens a work order for each meter reading, if the company has a department that reads meters. */
export async function openReadingOrders(tx: Tx, call: Call, row: Move, department: number | null): Promise<void> {
  if (department === null) return
  for (const { which, on, location, addressId } of neededReadingsOf(row))
    await openOrder(
      tx,
      { context: call.context, company: call.company, actor: bySystem(call.context) },
      {
        title:
          which === LAST
            ? say`Final meter reading for move request ${row.number}`
            : say`First meter reading for move request ${row.number}`,
        description: say`${row.name} is moving on the due date of this work order. Read the meter. Enter the reading when you complete the move.`,
        kind: 'reading',
        severity: 2,
        location: { ...noLocation, text: location, addressId },
        dueOn: on,
        departmentId: department,
        asset: null,
        source: { kind: SOURCE, id: row.id },
        fileIds: [],
      },
    )
}

export const readingOrdersOf = (tx: Tx, company: CompanyId, moveId: number) =>
  ordersOf(tx, company, { kind: SOURCE, id: moveId })

/** Cancels the meter readings of a withdrawn move. */
export async function cancelReadingOrders(tx: Tx, call: Pick<Call, 'company' | 'context'>, row: Move): Promise<void> {
  for (const { id, status } of await readingOrdersOf(tx, call.company.id, row.id))
    if (openWorkOrders.some((open) => open === status))
      await transition(tx, workOrderStateStore, {
        scope: call.company.id,
        id,
        event: 'invalidate',
        actor: bySystem(call.context),
        reason: say`Move request ${row.number} was withdrawn.`,
        deps: { context: call.context },
      })
}

/**
 * Completes the work orders for readings that staff entered with the move. Orders without a reading stay open.
 * @returns the numbers of the completed orders
 */
export async function completeReadingOrders(
  tx: Tx,
  call: Call,
  row: Move,
  entered: { final: boolean; first: boolean },
): Promise<{ done: string[]; open: string[] }> {
  const company = call.company.id
  const orders = await openOrdersOf(tx, company, { kind: SOURCE, id: row.id })
  const enteredReads = neededReadingsOf(row).filter(({ which }) => (which === LAST ? entered.final : entered.first))
  const ended = { done: [] as string[], open: [] as string[] }
  for (const { id, number, location, due_on } of orders) {
    const isEntered = enteredReads.some((one) => one.location === location && one.on === due_on)
    ended[isEntered ? 'done' : 'open'].push(number)
    if (!isEntered) continue
    await transition(tx, workOrderStateStore, {
      scope: company,
      id,
      event: 'read',
      actor: bySystem(call.context),
      deps: { context: call.context },
    })
  }
  return ended
}

/** Reschedules the open meter readings when the dates of the move change. */
export async function moveReads(tx: Tx, call: Call, before: Move, after: Move): Promise<void> {
  const days = new Map(neededReadingsOf(after).map(({ which, on }) => [which, on]))
  for (const { which, on, location } of neededReadingsOf(before)) {
    const day = days.get(which)
    if (!day || day === on) continue
    await rescheduleOrdersOf(tx, call.company.id, { kind: SOURCE, id: after.id }, { location, dueOn: day })
  }
}

defineWorkOrderSource({
  kind: SOURCE,
  // Does nothing, because staff enter the reading when they complete the move.
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
