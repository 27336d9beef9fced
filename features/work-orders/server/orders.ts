import type { Selectable } from 'kysely'
import { rowsByNumber } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineStateStore, transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { type OrderEvent, orderStates } from '../states.ts'
import { sourceOf } from './source.ts'

export type Order = Selectable<Schema['work_order']>

export const unknownOrder = () => notFound('This work order was not found.')

/** `lockOrder` locks the order until the transaction ends. Both @throws 404 */
export const { find: findOrder, lock: lockOrder } = rowsByNumber('work_order', unknownOrder)

export const heldOrder = (order: Order) => ({
  id: order.id,
  state: order.status,
  name: say`Work order ${order.number}`,
  number: order.number,
  told: { title: order.title },
  order,
})

export const keptOrders = defineStateStore({
  machine: orderStates,
  subject: 'work_order',
  live: { topic: 'work-orders' },
  lock: async (tx, place, id) => heldOrder(await lockOrder(tx, place, id)),
  write: (tx, { place, held, to, at }) =>
    tx
      .updateTable('work_order')
      .set({ status: to, completed_at: to === 2 ? at : null })
      .where('company_id', '=', place)
      .where('id', '=', held.id)
      .execute(),
})

interface OrderTransition {
  orderId: number
  event: OrderEvent
  who: TransitionActor
  reason?: string | undefined
}

/**
 * Applies a transition and notifies the order's source in the same transaction.
 * @throws like `transition`
 */
export async function moveOrder(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  { orderId, event, who, reason }: OrderTransition,
) {
  const moved = await transition(tx, keptOrders, { place: company, id: orderId, event, who, reason })
  const { order } = moved.held
  const { source_kind: kind, source_id: sourceId } = order
  if (kind !== null && sourceId !== null)
    await sourceOf(kind).onMoved(tx, context, company, sourceId, {
      orderId,
      number: order.number,
      from: moved.from,
      to: moved.to,
    })
  return { order: { ...order, status: moved.to }, message: moved.message }
}
