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

export const lockedOrder = (order: Order) => ({
  id: order.id,
  state: order.status,
  name: say`Work order ${order.number}`,
  number: order.number,
  details: { title: order.title },
  order,
})

export const workOrderStateStore = defineStateStore({
  machine: orderStates,
  subject: 'work_order',
  live: { topic: 'work-orders' },
  lock: async (tx, place, id) => lockedOrder(await lockOrder(tx, place, id)),
  write: (tx, { scope, locked, to, at }) =>
    tx
      .updateTable('work_order')
      .set({ status: to, completed_at: to === 2 ? at : null })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
})

interface OrderTransition {
  orderId: number
  event: OrderEvent
  actor: TransitionActor
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
  { orderId, event, actor, reason }: OrderTransition,
) {
  const moved = await transition(tx, workOrderStateStore, { scope: company, id: orderId, event, actor, reason })
  const { order } = moved.locked
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
