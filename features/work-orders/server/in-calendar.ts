import type { AppContext } from '../../../server/app-context.ts'
import { actorOf, transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { defineItemSource } from '../../calendar/api.ts'
import { ITEM_SOURCE, saveCalendarItem } from './calendar-item.ts'
import { findOrder, lockOrder, workOrderStateStore } from './orders.ts'
import { writeSchedule } from './schedule.ts'

/** Updates the calendar item after a change to an order or its schedule. */
export const updateCalendarItem = async (
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  orderId: number,
): Promise<void> => saveCalendarItem(tx, context, await findOrder(tx, company, orderId))

/** Connects orders with their calendar items. A change to the time or status of either also changes the other. */
export const workOrderItems = defineItemSource({
  kind: ITEM_SOURCE,
  permission: ['work_orders', 'update'],
  path: (id) => `/municipality/work-orders?order=${id}`,
  reschedule: async (tx, call, id, times) => {
    const order = await lockOrder(tx, call.company.id, id)
    await writeSchedule(tx, call, order, { ...times, assignedTo: order.assigned_to })
    await updateCalendarItem(tx, call.context, call.company.id, id)
  },
  step: async (tx, call, id, event) => {
    const { message } = await transition(tx, workOrderStateStore, {
      scope: call.company.id,
      id,
      event,
      actor: actorOf(call),
      deps: { context: call.context },
    })
    return message
  },
})
