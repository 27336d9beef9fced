import type { Selectable } from 'kysely'
import { rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineStateStore } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { orderStates } from '../states.ts'
import { saveCalendarItem } from './calendar-item.ts'
import { sourceOf } from './source.ts'
import { workOrderStatus } from '../rules.ts'

export type Order = Selectable<Schema['work_order']>

export const unknownOrder = () => notFound('This work order was not found.')

/**
 * Finds an order. `lockOrder` also locks it until the transaction ends.
 * @throws 404
 */
export const { find: findOrder, lock: lockOrder } = rowFinderById('work_order', unknownOrder)

export const lockedOrder = (order: Order) => ({
  id: order.id,
  state: order.status,
  name: say`Work order ${order.number}`,
  number: order.number,
  details: { title: order.title },
  order,
})

/** Selects the further sources of an order, oldest first. */
const linkedSourcesOf = (tx: Tx, company: number, order: number) =>
  tx
    .selectFrom('work_order_source')
    .select(['source_kind', 'source_id'])
    .where('company_id', '=', company)
    .where('order_id', '=', order)
    .orderBy('source_id')
    .execute()

interface OrderDeps {
  context: AppContext
}

/** Storage of the order states. Each transition notifies the order's source and updates the calendar item. */
export const workOrderStateStore = defineStateStore({
  machine: orderStates,
  subject: 'work_order',
  live: { topic: 'work-orders' },
  lock: async (tx, scope, id) => lockedOrder(await lockOrder(tx, scope, id)),
  write: (tx, { scope, locked, to, at }) =>
    tx
      .updateTable('work_order')
      .set({ status: to, completed_at: to === workOrderStatus.completed ? at : null })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
  effects: {
    every: async (tx, { locked: { order }, from, to }, { context }: OrderDeps) => {
      const { company_id, id, number, source_kind: kind, source_id: sourceId } = order
      const own = kind !== null && sourceId !== null ? [{ source_kind: kind, source_id: sourceId }] : []
      for (const source of [...own, ...(await linkedSourcesOf(tx, company_id, id))])
        await sourceOf(source.source_kind).onMoved(tx, context, company_id as CompanyId, source.source_id, {
          ...{ orderId: id, number, from, to },
        })
      await saveCalendarItem(tx, context, { ...order, status: to })
    },
  },
})
