import { type Call, signedIn } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { announce } from '../../../server/live.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { translated, say } from '../../../shared/messages.ts'
import { orderStates } from '../states.ts'
import { notifyAssigned } from './notify-assigned.ts'
import type { Order } from './orders.ts'
import { workOrderStatus } from '../rules.ts'

export interface Schedule {
  startsAt: Date
  endsAt: Date
  assignedTo: number | null
}

/**
 * Sets the time and assignee of an order. Null removes its schedule.
 * @throws 409 if the order is completed or invalid
 */
export async function writeSchedule(tx: Tx, call: Call, order: Order, schedule: Schedule | null): Promise<void> {
  if (order.status === workOrderStatus.completed || order.status === workOrderStatus.invalid)
    throw conflict(
      'wrong_status',
      say`You cannot reschedule work order ${order.number} because its status is “${translated(orderStates.labels[order.status])}”.`,
    )
  await tx
    .updateTable('work_order')
    .set({
      starts_at: schedule?.startsAt ?? null,
      ends_at: schedule?.endsAt ?? null,
      ...(schedule && { assigned_to: schedule.assignedTo }),
    })
    .where('company_id', '=', call.company.id)
    .where('id', '=', order.id)
    .execute()
  if (schedule)
    await notifyAssigned(tx, call.context, call.company, {
      order: { ...order, assigned_to: schedule.assignedTo },
      before: order,
      by: signedIn(call).personId,
    })
  await call.audit(tx, {
    action: schedule ? 'work_order.scheduled' : 'work_order.unscheduled',
    subject: { kind: 'work_order', id: order.number },
    detail: { from: order.starts_at?.toISOString() ?? null, to: schedule?.startsAt.toISOString() ?? null },
  })
  await announce(tx, call.company.id, { topic: 'work-orders', id: order.id })
}
