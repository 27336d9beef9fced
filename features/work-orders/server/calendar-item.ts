import type { Selectable } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ItemStatus } from '../../calendar/states.ts'
import { cancelItem, putItem } from '../../calendar/api.ts'
import type { OrderStatus } from '../states.ts'

type Order = Selectable<Schema['work_order']>

/** Source kind of calendar items that show work orders. */
export const ITEM_SOURCE = 'work_order'

/** Id of the work order type in `event_type`. */
const WORK_ORDER = 3

/** Calendar status for each order status. Null for invalid orders, which do not appear in the calendar. */
const itemStatuses: Record<OrderStatus, ItemStatus | null> = {
  0: 'not_started',
  1: 'in_progress',
  2: 'completed',
  3: 'not_started',
  4: null,
}

/** Updates the calendar item of an order. Removes it if the order is unscheduled or invalid. */
export async function saveCalendarItem(tx: Tx, context: AppContext, order: Order): Promise<void> {
  const company = order.company_id as CompanyId
  const status = itemStatuses[order.status]
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
    source: { kind: ITEM_SOURCE, id: order.id },
    assignedTo: order.assigned_to,
    departmentId: order.department_id,
    crewId: order.crew_id,
  })
