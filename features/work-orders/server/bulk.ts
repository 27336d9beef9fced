import { runForEach } from '../../../server/bulk.ts'
import { type Call, type Handler, implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { minutesOf, timeAt } from '../../../shared/dates.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { WorkOrderDetails } from '../contract.ts'
import { assignOrders, completeOrders, scheduleOrders, setDueDates } from '../contract-bulk.ts'
import { lockOrder } from './orders.ts'
import { orderDetailsOf, saveOrderCall } from './save-order.ts'
import { changeOrderStatusCall, scheduleOrderCall } from './work.ts'

/** Saves the same change of details in several orders. Their other details stay. */
const saveEach = (call: Call<{ ids: readonly number[] }>, change: Partial<WorkOrderDetails>) =>
  runForEach(call, saveOrderCall, async (orderId, tx) => ({
    ...orderDetailsOf(await lockOrder(tx, call.company.id, orderId)),
    ...change,
    companyId: undefined,
    orderId,
    basis: undefined,
  }))

const DAY_MINUTES = 24 * 60

/**
 * Adds minutes to a time of day, such as '09:30'.
 * @throws 409 if the result is on the next day
 */
function timeAfter(time: string, minutes: number, number: string): string {
  const at = minutesOf(time) + minutes
  if (at >= DAY_MINUTES) throw conflict('day_full', say`The day has no time left for work order ${number}.`)
  return timeAt(at)
}

/** Calls that change several work orders with the rules of the calls for one order. */
export const bulkCalls: readonly Handler[] = [
  implement(assignOrders, async (call) => {
    const { assignedTo, crewId, departmentId } = call.body
    const result = await saveEach(call, {
      ...(assignedTo !== undefined && { assignedTo }),
      ...(crewId !== undefined && { crewId }),
      ...(departmentId !== undefined && { departmentId }),
    })
    const { changed } = result
    const message = say`${plural(changed, 'One work order was assigned.', '# work orders were assigned.')}`
    return { success: true as const, message, ...result }
  }),
  implement(setDueDates, async (call) => {
    const result = await saveEach(call, { dueOn: call.body.dueOn })
    const { changed } = result
    const message = say`${plural(changed, 'One due date was set.', '# due dates were set.')}`
    return { success: true as const, message, ...result }
  }),
  implement(scheduleOrders, async (call) => {
    const { ids, day, time, minutes, oneAfterAnother, before } = call.body
    const places = new Map([...new Set(ids)].map((id, index) => [id, before + index]))
    const result = await runForEach(call, scheduleOrderCall, async (orderId, tx) => {
      const order = await lockOrder(tx, call.company.id, orderId)
      const wait = oneAfterAnother ? minutes * (places.get(orderId) ?? 0) : 0
      return {
        orderId,
        schedule: { day, time: timeAfter(time, wait, order.number), minutes, assignedTo: order.assigned_to },
      }
    })
    const { changed } = result
    const message = say`${plural(changed, 'One work order was scheduled.', '# work orders were scheduled.')}`
    return { success: true as const, message, ...result }
  }),
  implement(completeOrders, async (call) => {
    const result = await runForEach(call, changeOrderStatusCall, (orderId) => ({ orderId, event: 'complete' }))
    const { changed } = result
    const message = say`${plural(changed, 'One work order was completed.', '# work orders were completed.')}`
    return { success: true as const, message, ...result }
  }),
]
