import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { caseView, MESSAGE_LONG, noCardNumber, ofCase, placeholders } from '../../shared/cases.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { idIn, sourceNames } from './rules.ts'
import { requestStates } from './states.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { cleaned } from '../../shared/typed.ts'

/** Calls for staff about requests, and the chat calls for staff and residents. */

export const viewAccess: Access = { audience: 'municipality', privilege: ['requests', 'view'] }
const write: Access = { audience: 'municipality', privilege: ['requests', 'update'] }
const chat: Access = { audience: 'municipality', privilege: ['chat', 'view'] }
const resident: Access = { audience: 'citizen' }

/** Related request, as staff see it in the details of a request. */
export const otherRequest = z.object({
  id: z.number(),
  number: z.string(),
  title: z.string(),
  location: z.string(),
  at: z.string(),
  status: requestStates.state,
})
export type OtherRequest = z.output<typeof otherRequest>

export const staffRequest = endpoint({
  path: 'muni/return/communication/request',
  summary: 'Returns a request with its messages and history',
  access: viewAccess,
  personal: true,
  body: ofCase,
  response: z.extend(caseView, {
    request: z.object({
      id: z.number(),
      number: z.string(),
      at: z.string(),
      status: requestStates.state,
      categoryId: z.number(),
      title: z.string(),
      /** Description that the requester wrote. */
      description: z.string(),
      location: z.string(),
      position: z.nullable(z.object({ lat: z.number(), lon: z.number() })),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      personId: z.nullable(z.number()),
      dueAt: z.string(),
      late: z.boolean(),
      closedAt: z.nullable(z.string()),
      spam: z.boolean(),
      /** Answers to the category's questions, with the labels that the requester saw. */
      answers: z.array(z.object({ label: z.string(), value: z.string() })),
      followers: z.int(),
      /** The requester's feedback on the latest repair. Null without feedback. */
      feedback: z.nullable(z.object({ fixed: z.boolean(), text: z.string(), at: z.string() })),
      mergedInto: z.nullable(otherRequest),
      /** Duplicates that were merged into this request. */
      merged: z.array(otherRequest),
      /** The request that this one was split from, and the requests split from this one. */
      splits: z.array(otherRequest),
      source: z.enum(sourceNames),
      /** Time of the answer for which staff must call the requester. Null if no call is due. */
      callBackSince: z.nullable(z.string()),
      workOrders: z.array(z.object({ id: z.number(), number: z.string(), status: z.string() })),
    }),
    /** Start values of a work order from the request. */
    order: z.object({ crewId: z.nullable(z.number()), dueOn: z.string(), description: z.string() }),
    /** Values of the placeholders of saved replies, by name. Empty if the request has no such value. */
    fills: z.record(z.enum(placeholders), z.string()),
    can: z.extend(caseView.shape.can, {
      steps: z.record(requestStates.button, z.boolean()),
      merge: z.boolean(),
      separate: z.boolean(),
      split: z.boolean(),
      spam: z.boolean(),
      notSpam: z.boolean(),
      recategorize: z.boolean(),
      endCallBack: z.boolean(),
      openWorkOrder: z.boolean(),
    }),
  }),
})

/** Lists all categories, including inactive ones, in the order that residents see. */
export const staffCategories = endpoint({
  path: 'muni/return/communication/categories',
  summary: 'Returns the request categories',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ categories: z.array(z.object({ id: z.number(), name: z.string(), active: z.boolean() })) }),
})

/**
 * Changes the status of a request (product rules, section 6). The status Invalid requires a reason, which the portal
 * emails to the requester.
 */
export const changeStatus = formCall({
  path: 'muni/change/communication/status',
  summary: 'Changes the status of a request',
  access: write,
  body: z.extend(ofCase, { event: requestStates.button, reason: z.optional(stepReason) }),
})

/** Lists possible duplicates: open requests of the same category nearby, and open requests from the same requester. */
export const duplicates = endpoint({
  path: 'muni/return/communication/duplicates',
  summary: 'Returns the open requests that may be duplicates of a request',
  access: viewAccess,
  personal: true,
  body: ofCase,
  response: z.object({
    requests: z.array(z.extend(otherRequest, { metres: z.nullable(z.int()), followers: z.int() })),
  }),
})

export const NO_NUMBER = 'Enter the number of a request, such as R-2026-000123.'
export const mergeForm = z.object({
  into: z.string().check(
    cleaned(),
    z.maxLength(40, NO_NUMBER),
    z.refine((text) => idIn(text) !== null, NO_NUMBER),
  ),
})

/**
 * Closes a request as a duplicate of another request. The requester and followers of the closed request then follow the
 * other one.
 */
export const mergeRequest = formCall({
  path: 'muni/merge/communication/request',
  summary: 'Merges a request into another as a duplicate',
  access: write,
  body: z.extend(ofCase, mergeForm.shape),
})

/**
 * Undoes a merge. The merged request reopens. Its requester and followers no longer follow the other request, unless
 * they had chosen to follow it themselves.
 */
export const separateRequest = formCall({
  path: 'muni/separate/communication/request',
  summary: 'Undoes the merge of a request',
  access: write,
  body: ofCase,
})

const SPLIT_SHORT = 'Describe the second problem in at least 5 characters.'
/** Id as a select element sends it. */
export const categoryId = z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'Choose a category.'))
export const splitForm = z.object({
  categoryId,
  description: z.string().check(z.trim(), z.minLength(5, SPLIT_SHORT), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
})

/**
 * Creates a second request if a report covers two issues. The second request has its own number and copies the
 * requester, location and contact details.
 */
export const splitRequest = formCall({
  path: 'muni/split/communication/request',
  summary: 'Creates a second request from a request with two issues',
  access: write,
  body: z.extend(ofCase, splitForm.shape),
  response: z.extend(done, { requestId: z.number(), number: z.string() }),
})

export const categoryForm = z.object({ categoryId })

/** Moves a request to another category. The department and the target days of the new category then apply. */
export const changeCategory = formCall({
  path: 'muni/change/communication/category',
  summary: 'Moves a request to another category',
  access: write,
  body: z.extend(ofCase, { ...categoryForm.shape, from: rowId }),
})

export const markSpam = formCall({
  path: 'muni/mark/communication/spam',
  summary: 'Marks a request as spam or not spam',
  access: write,
  body: z.extend(ofCase, { spam: z.boolean() }),
})

const TITLE_LONG = 'Use up to 120 characters.'
export const workOrderForm = z.object({
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(3, 'Describe the task in 3 to 120 characters.'),
      z.maxLength(120, TITLE_LONG),
      noCardNumber,
    ),
  description: z.string().check(z.trim(), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
  severity: z.enum(['0', '1', '2']),
  dueOn: z.union([z.literal(''), isoDate]),
  assignedTo: z.nullable(rowId),
  crewId: z.nullable(rowId),
  /** True if the work order gets copies of the request's photos. */
  withFiles: z.boolean(),
})

/**
 * Creates a work order with the location and photos of the request. From then on, the request's status follows the work
 * order's status.
 */
export const openOrder = formCall({
  path: 'muni/open/communication/work/order',
  summary: 'Creates a work order from a request',
  access: { audience: 'municipality', privilege: ['requests', 'create'] },
  body: z.extend(ofCase, {
    ...workOrderForm.shape,
    assignedTo: z.optional(workOrderForm.shape.assignedTo),
    crewId: z.optional(workOrderForm.shape.crewId),
  }),
  response: z.extend(done, { orderId: z.number(), number: z.string() }),
})

const ORDER_REQUIRED = 'Choose a work order, or enter its number, such as WO-2026-000012.'
export const orderLinkForm = z.object({
  order: z.string().check(cleaned(), z.minLength(1, ORDER_REQUIRED), z.maxLength(40, ORDER_REQUIRED)),
})

/** Lists the open work orders near a request, so that several requests about one problem have one work order. */
export const ordersNearby = endpoint({
  path: 'muni/return/communication/orders/nearby',
  summary: 'Returns the open work orders near a request',
  access: { audience: 'municipality', privilege: ['requests', 'create'] },
  body: ofCase,
  response: z.object({
    orders: z.array(z.object({ id: z.number(), number: z.string(), title: z.string(), location: z.string() })),
  }),
})

/** Adds a request to an open work order. From then on, the request's status follows the work order's status. */
export const linkToOrder = formCall({
  path: 'muni/add/communication/to/work/order',
  summary: 'Adds a request to an open work order',
  access: { audience: 'municipality', privilege: ['requests', 'create'] },
  body: z.extend(ofCase, orderLinkForm.shape),
})

/** Number of days that the dashboard card covers when it counts received and completed requests (spec 3, 4.1). */
export const FIGURE_DAYS = 30
export const figures = endpoint({
  path: 'muni/return/communication/figures',
  summary: 'Returns the numbers of new, reviewed, overdue, completed and received requests',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    new: z.int(),
    reviewComplete: z.int(),
    overdue: z.int(),
    completed: z.int(),
    received: z.int(),
  }),
})

/** Row of the chat list. */
const chatRow = z.object({
  id: z.number(),
  number: z.string(),
  title: z.string(),
  /** Name of the requester, for staff. Empty in the requester's own list. */
  name: z.string(),
  status: requestStates.state,
  at: z.string(),
  /** Latest public message, shortened to one line. */
  last: z.string(),
  lastFrom: z.enum(['person', 'staff']),
  unread: z.int(),
})
export type ChatRow = z.output<typeof chatRow>

/** Maximum number of entries in the chat list. */
export const MAX_CHATS = 30

/**
 * Lists the open requests that are assigned to the caller or their department, and the requests that the caller
 * follows. Unread requests come first.
 */
export const chats = endpoint({
  path: 'muni/return/chats',
  summary: 'Returns the open requests that the caller works on or follows',
  access: chat,
  personal: true,
  body: z.object({ companyId }),
  response: z.object({ chats: z.array(chatRow) }),
})

/** Chat list of the signed-in resident. */
export const myChats = endpoint({
  path: 'return/my/chats',
  whenOff: 'finish',
  summary: "Returns the caller's requests with their unread messages",
  access: resident,
  body: z.object({ companyId }),
  response: z.object({ chats: z.array(chatRow), unread: z.int() }),
})

/** Event stream that reports changes of the caller's own requests. Each event contains only the request id. */
export const myChatEvents = endpoint({
  path: 'watch/my/chats',
  whenOff: 'finish',
  method: 'GET',
  summary: "Streams an event for each change of the caller's requests",
  access: resident,
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})
