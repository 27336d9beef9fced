import * as z from 'zod/mini'
import { nameField } from '../../shared/accounts.ts'
import { rowId } from '../../shared/body-parts.ts'
import { contactFields, fileIds, filesField, MESSAGE_LONG, noCardNumber, ofCase } from '../../shared/cases.ts'
import { emailOrNone } from '../../shared/email.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { locationValue } from '../../shared/places.ts'
import { done } from '../../shared/responses.ts'
import { categoryId, otherRequest } from './contract-staff.ts'
import { channelNames } from './rules.ts'

/** Calls with which staff enter a request that arrives by phone, at the counter or by letter. */

const create: Access = { audience: 'municipality', privilege: ['requests', 'create'] }

const DESCRIPTION_SHORT = 'Describe the problem in at least 5 characters.'

/** Contact details of the caller. `personId` is the resident whom staff chose. Null for a caller without an account. */
const callerFields = {
  name: nameField('Enter the caller’s name.'),
  email: emailOrNone,
  phone: contactFields.phone,
  personId: z.nullable(rowId),
}
const fields = {
  ...callerFields,
  channel: z.enum(channelNames),
  categoryId,
  location: locationValue,
  description: z
    .string()
    .check(z.trim(), z.minLength(5, DESCRIPTION_SHORT), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
  answers: z.record(z.string(), z.unknown()),
}

/** Form of the panel. `search` is the text that finds the caller. */
export const intakeForm = z.object({ ...fields, files: filesField, search: z.string() })

/** Creates a request for a caller. Creates no account. The portal emails the caller, if there is an email address. */
export const enterForCaller = formCall({
  path: 'muni/enter/communication/request',
  summary: 'Creates a request that arrived by phone, at the counter or by letter',
  access: create,
  body: z.object({
    ...fields,
    /** Version of the questions that staff answered. 0 if the category has no questions. */
    version: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
    files: fileIds,
  }),
  response: z.extend(done, { requestId: z.number(), number: z.string() }),
})

/** Lists the recent open requests of all categories near a location, so that staff notice a duplicate. */
export const openNearby = endpoint({
  path: 'muni/find/communication/nearby',
  summary: 'Returns the recent open requests near a location',
  access: create,
  personal: true,
  body: z.object({ location: locationValue }),
  response: z.object({
    requests: z.array(z.extend(otherRequest, { subject: z.string(), metres: z.nullable(z.int()), followers: z.int() })),
  }),
})

/**
 * Adds the caller as a follower of a known request. A caller without an account must confirm the email address before
 * the portal sends updates.
 */
export const addCallerAsFollower = formCall({
  path: 'muni/add/communication/follower',
  summary: 'Adds a caller as a follower of a request',
  access: create,
  body: z.extend(ofCase, callerFields),
})

/** Ends the mark that staff must call the requester. */
export const endCallBack = formCall({
  path: 'muni/end/communication/call/back',
  summary: 'Records that staff called the requester with the answer',
  access: { audience: 'municipality', privilege: ['requests', 'update'] },
  body: ofCase,
})
