import * as z from 'zod/mini'
import { bulkCall, bulkIds } from '../../shared/bulk.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { downloadCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { changeOrderStatus, printOrder, saveOrder, scheduleForm, scheduleOrder } from './contract.ts'

/** Calls that change several work orders. Each has the access of the call for one order. */

/** Assigns orders to a person, a crew or a department. The other assignees of the orders stay. */
export const assignOrders = bulkCall({
  path: 'muni/assign/work/orders',
  summary: 'Assigns several work orders to a person, a crew or a department',
  access: saveOrder.access,
  fields: {
    assignedTo: z.optional(rowId),
    crewId: z.optional(rowId),
    departmentId: z.optional(rowId),
  },
})

export const setDueDates = bulkCall({
  path: 'muni/set/work/orders/due',
  summary: 'Sets the due date of several work orders',
  access: saveOrder.access,
  fields: { dueOn: isoDate },
})

export const completeOrders = bulkCall({
  path: 'muni/complete/work/orders',
  summary: 'Completes several work orders',
  access: changeOrderStatus.access,
  fields: {},
})

const { day, time, minutes } = scheduleForm.shape
const schedule = {
  ...{ day, time, minutes },
  /** True if each order starts when the one before it ends. Otherwise, all orders start together. */
  oneAfterAnother: z.boolean(),
}
export const scheduleOrdersForm = z.object(schedule)

/** Schedules orders on one day. Their assignees stay. */
export const scheduleOrders = bulkCall({
  path: 'muni/schedule/work/orders',
  summary: 'Schedules several work orders on one day',
  access: scheduleOrder.access,
  fields: {
    ...schedule,
    /** Number of selected orders before those of this call, because browsers send many orders in several calls. */
    before: z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 0),
  },
})

export const printOrders = downloadCall({
  path: 'muni/print/work/orders',
  summary: 'Downloads the sheets of several work orders as one PDF',
  access: printOrder.access,
  body: z.object({ companyId, ids: bulkIds }),
})
