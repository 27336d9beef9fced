import * as z from 'zod/mini'
import { done, companyFields } from '../../shared/responses.ts'
import { stepReason } from '../../shared/machine.ts'
import { isState, STATE_UNKNOWN } from '../../shared/states.ts'
import {
  caseCalls,
  contactFields,
  caseView,
  fileIds,
  filesField,
  MESSAGE_LONG,
  noCardNumber,
  reachable,
  ofCase,
} from '../../shared/cases.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { categoryNames } from './rules.ts'
import { requestStates } from './states.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { VISIBLE_LINE } from '../../shared/visible.ts'
import { cleaned } from '../../shared/typed.ts'

export const MESSAGE_SHORT = 'Describe what happened in at least 10 characters.'
export const CATEGORY_REQUIRED = 'Choose a subject.'
const INVISIBLE = 'Remove the characters < and > and any hidden or unprintable characters.'

const line = z
  .string()
  .check(z.trim(), z.maxLength(200, 'Use no more than 200 characters.'), z.regex(VISIBLE_LINE, INVISIBLE), noCardNumber)

const fields = {
  ...contactFields,
  accountNumber: z._default(
    z
      .string()
      .check(
        cleaned(),
        z.maxLength(200, 'Use no more than 200 characters.'),
        z.regex(/^[^\p{C}<>]*$/u, INVISIBLE),
        noCardNumber,
      ),
    '',
  ),
  address: z._default(line, ''),
  city: z._default(line, ''),
  state: z._default(
    z
      .string()
      .check(
        cleaned(),
        z.regex(/^(?:[A-Z]{2})?$/, 'Enter the state as two capital letters.'),
        z.refine(isState, { error: STATE_UNKNOWN }),
      ),
    '',
  ),
  zipcode: z._default(z.string().check(cleaned(), z.regex(/^(?:\d{5})?$/, 'Enter a 5-digit ZIP code.')), ''),
  category: z.enum(categoryNames, { error: CATEGORY_REQUIRED }),
  message: z.string().check(z.trim(), z.minLength(10, MESSAGE_SHORT), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
}
export const requestForm = z.object({ ...fields, files: filesField }).check(reachable)

/**
 * Sends a support request. The session identifies the person, and the host identifies the company. Ignores values such
 * as `userid` or `WhoSendsBill` in the body.
 */
export const sendRequest = endpoint({
  path: 'send/support/request',
  summary: 'Sends a support request and emails its number',
  access: { audience: 'public' },
  whileOffline: true,
  idempotent: true,
  body: z.object({ ...fields, files: fileIds, companyId }).check(reachable),
  response: z.extend(done, { number: z.string() }),
})

/** Loads the initial form values for a signed-in person. Empty for guests. */
export const supportPrefill = endpoint({
  path: 'return/support/prefill',
  summary: "Returns the caller's details for the support form",
  access: { audience: ['citizen', 'municipality'], privilege: ['user_profile', 'view'] },
  whileOffline: true,
  body: z.object({ companyId }),
  response: z.object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string(),
    accountNumber: z.string(),
    address: z.string(),
    city: z.string(),
    state: z.string(),
    zipcode: z.string(),
  }),
})

const category = z.enum(categoryNames)

/** Calls for the case entries and the assignment of a support request. */
export const supportCase = caseCalls({
  kind: 'support_request',
  audience: 'platform',
  path: 'support/request',
  about: 'support',
  noun: 'support request',
  rights: {
    read: ['communication_management', 'view'],
    write: ['communication_management', 'update'],
    // Permission 'Assign to other admin' (spec 6.3, sub-module 34).
    assign: ['chat', 'update'],
  },
})

const read: Access = { audience: 'platform', privilege: ['communication_management', 'view'] }
const write: Access = { audience: 'platform', privilege: ['communication_management', 'update'] }
const assign: Access = { audience: 'platform', privilege: ['chat', 'update'] }

/** Status changes that the caller may make. */
const steps = z.object({ start: z.boolean(), complete: z.boolean(), reopen: z.boolean(), invalidate: z.boolean() })

const requestInFull = z.object({
  id: z.number(),
  number: z.string(),
  ...companyFields,
  at: z.string(),
  updatedAt: z.string(),
  status: requestStates.state,
  category,
  name: z.string(),
  email: z.string(),
  /** Beginning of the first message, as one line. */
  subject: z.string(),
  /** `wrote again` means that the requester wrote another message after a reply from staff. */
  replyStatus: z.enum(['not yet', 'yes', 'wrote again']),
  phone: z.string(),
  accountNumber: z.string(),
  address: z.string(),
  /** Id of the requester's account. Null for guests. */
  personId: z.nullable(z.number()),
  closedAt: z.nullable(z.string()),
})

export const supportRequest = endpoint({
  path: 'admin/return/support/request',
  summary: 'Returns a support request with its messages and history',
  access: read,
  personal: true,
  body: ofCase,
  response: z.extend(caseView, {
    request: requestInFull,
    can: z.extend(caseView.shape.can, { steps }),
  }),
})

/**
 * Changes the status (product rules, section 6). Starting work assigns the request to the actor. The status Invalid
 * requires a reason.
 */
export const changeRequestStatus = formCall({
  path: 'admin/change/support/status',
  summary: 'Changes the status of a support request',
  access: write,
  body: z.extend(ofCase, { event: requestStates.button, reason: z.optional(stepReason) }),
})

const item = z.object({
  id: z.number(),
  number: z.string(),
  company: z.string(),
  at: z.string(),
  status: requestStates.state,
  category,
  subject: z.string(),
})

/** Maximum number of requests in each list and in one assignment. The lists contain the oldest requests. */
export const MAX_ITEMS = 100

/**
 * Lists the open requests assigned to a person, and unassigned open requests (spec 1, "assign items", and 2.19,
 * Assign).
 */
export const supportItems = endpoint({
  path: 'admin/return/support/items',
  summary: "Returns a person's open support requests and the unassigned ones",
  access: assign,
  scope: 'none',
  personal: true,
  body: z.object({ personId: rowId }),
  response: z.object({
    name: z.string(),
    assigned: z.array(item),
    unassigned: z.array(item),
    /** True if one of the lists is incomplete, because of `MAX_ITEMS`. */
    more: z.boolean(),
  }),
})

const items = z.array(rowId).check(z.maxLength(MAX_ITEMS, 'Choose fewer requests.'))

export const assignItems = formCall({
  path: 'admin/assign/support/items',
  summary: 'Assigns support requests to a person and unassigns others',
  access: assign,
  scope: 'none',
  body: z.object({ personId: rowId, assign: items, unassign: items }),
})
