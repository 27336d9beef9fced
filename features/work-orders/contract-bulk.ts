import * as z from 'zod/mini'
import { bulkCall } from '../../shared/bulk.ts'
import { rowId } from '../../shared/body-parts.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { changeOrderStatus, saveOrder } from './contract.ts'

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
