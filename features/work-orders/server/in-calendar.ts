import type { AppContext } from '../../../server/app-context.ts'
import { actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ItemStatus } from '../../calendar/states.ts'
import { defineItemSource } from '../../calendar/server/item-source.ts'
import { cancelItem, putItem } from '../../calendar/server/put-item.ts'
import type { OrderStatus } from '../states.ts'
import { findOrder, lockOrder, moveOrder, type Order } from './orders.ts'
import { writeSchedule } from './schedule.ts'

/** Row of `event_type`. */
const WORK_ORDER = 3

/** Calendar status of each order state. Null for invalid orders, which are not in the calendar. */
const shownAs: Record<OrderStatus, ItemStatus | null> = {
  0: 'not_started',
  1: 'in_progress',
  2: 'completed',
  3: 'not_started',
  4: null,
}

/** Updates the calendar item of an order. Removes it if the order is unscheduled or invalid. */
export async function keepInCalendar(tx: Tx, context: AppContext, company: CompanyId, orderId: number): Promise<void> {
  const order = await findOrder(tx, company, orderId)
  const status = shownAs[order.status]
  const item = order.starts_at && order.ends_at && status ? await put(tx, company, order, status) : null
  if (item === null && order.item_id !== null) await cancelItem(tx, context, company, order.item_id, { evenPast: true })
  if (item !== order.item_id)
    await tx
      .updateTable('work_order')
      .set({ item_id: item })
      .where('company_id', '=', company)
      .where('id', '=', order.id)
      .execute()
}

const put = (tx: Tx, company: CompanyId, order: Order, status: ItemStatus): Promise<number> =>
  putItem(tx, company, {
    id: order.item_id,
    typeId: WORK_ORDER,
    title: `${order.number} ${order.title}`,
    description: order.location,
    startsAt: order.starts_at as Date,
    endsAt: order.ends_at as Date,
    status,
    source: { kind: workOrderItems.kind, id: order.id },
    assignedTo: order.assigned_to,
    departmentId: order.department_id,
    crewId: order.crew_id,
  })

/** Source that moves the calendar item with its order, and the order with its item. */
export const workOrderItems = defineItemSource({
  kind: 'work_order',
  right: ['communication_management', 'update'],
  path: (id) => `/municipality/work-orders?order=${id}`,
  reschedule: async (tx, call, id, times) => {
    const order = await lockOrder(tx, call.company.id, id)
    await writeSchedule(tx, call, order, { ...times, assignedTo: order.assigned_to })
    await keepInCalendar(tx, call.context, call.company.id, id)
  },
  step: async (tx, call, id, event) => {
    const { message } = await moveOrder(tx, call.context, call.company.id, { orderId: id, event, actor: actorOf(call) })
    await keepInCalendar(tx, call.context, call.company.id, id)
    return message
  },
})
