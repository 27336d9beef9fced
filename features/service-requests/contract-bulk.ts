import * as z from 'zod/mini'
import { bulkCall } from '../../shared/bulk.ts'
import { MESSAGE_LONG, noCardNumber } from '../../shared/cases.ts'
import { rowId } from '../../shared/body-parts.ts'
import { requestCase } from './contract.ts'
import { categoryForm, changeCategory, markSpam } from './contract-staff.ts'

/** Calls that change several requests. Each has the access of the call for one request. */

export const assignRequests = bulkCall({
  path: 'muni/assign/communication/requests',
  summary: 'Assigns several requests to a person or a department',
  access: requestCase.assign.access,
  fields: { personId: z.nullable(rowId), departmentId: z._default(z.nullable(rowId), null) },
})

export const changeCategories = bulkCall({
  path: 'muni/change/communication/categories',
  summary: 'Moves several requests to another category',
  access: changeCategory.access,
  fields: categoryForm.shape,
})

export const replyForm = z.object({
  message: z.string().check(z.trim(), z.minLength(3, 'Enter a reply.'), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
})

/**
 * Sends the same reply to several requesters and completes their requests. `updatedAt` has the last activity of each
 * request in the list, by id. A request with a newer message is refused, because the reply may no longer fit.
 */
export const completeRequests = bulkCall({
  path: 'muni/complete/communication/requests',
  summary: 'Replies to several requests and completes them',
  access: requestCase.reply.access,
  fields: { ...replyForm.shape, updatedAt: z.record(z.string(), z.string().check(z.maxLength(40))) },
})

export const markRequestsAsSpam = bulkCall({
  path: 'muni/mark/communication/requests/spam',
  summary: 'Marks several requests as spam',
  access: markSpam.access,
  fields: {},
})
