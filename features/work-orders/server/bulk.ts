import { runForEach } from '../../../server/bulk.ts'
import { type Call, type Handler, implement } from '../../../server/call.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { WorkOrderDetails } from '../contract.ts'
import { assignOrders, completeOrders, setDueDates } from '../contract-bulk.ts'
import { lockOrder } from './orders.ts'
import { orderDetailsOf, saveOrderCall } from './save-order.ts'
import { changeOrderStatusCall } from './work.ts'

/** Saves the same change of details in several orders. Their other details stay. */
const saveEach = (call: Call<{ ids: readonly number[] }>, change: Partial<WorkOrderDetails>) =>
  runForEach(call, saveOrderCall, async (orderId, tx) => ({
    ...orderDetailsOf(await lockOrder(tx, call.company.id, orderId)),
    ...change,
    companyId: undefined,
    orderId,
    basis: undefined,
  }))

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
  implement(completeOrders, async (call) => {
    const result = await runForEach(call, changeOrderStatusCall, (orderId) => ({ orderId, event: 'complete' }))
    const { changed } = result
    const message = say`${plural(changed, 'One work order was completed.', '# work orders were completed.')}`
    return { success: true as const, message, ...result }
  }),
]
