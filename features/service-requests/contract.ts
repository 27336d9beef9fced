import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import {
  caseCalls,
  contactFields,
  fileIds,
  filesField,
  mailedToken,
  MESSAGE_LONG,
  noCardNumber,
  reachable,
} from '../../shared/cases.ts'
import { newEmail } from '../../shared/email.ts'
import { downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { photo, photoId } from '../../shared/photos.ts'
import { locationValue } from '../../shared/places.ts'
import { CATEGORY_REQUIRED } from './rules.ts'
import { requestStates } from './states.ts'
import { rowId } from '../../shared/body-parts.ts'

/** Calls for the case entries and the assignment of a request. */
export const requestCase = caseCalls({
  kind: 'request',
  audience: 'municipality',
  path: 'request',
  about: 'requests',
  noun: 'request',
  needsPosition: true,
  // The specification sets this path (spec 7.1).
  attachPath: 'save/communication/file',
  rights: {
    read: ['requests', 'view'],
    write: ['requests', 'update'],
    // The privilege 'Assign to other admin' (spec 6.3, sub-module 34).
    assign: ['chat', 'update'],
  },
})

export const DESCRIPTION_SHORT = 'Describe the problem in at least 10 characters.'

export const LOCATION_REQUIRED = 'Enter the location: an address, a pin on the map, or a description.'

const everybody = { audience: 'public' } as const
/**
 * Definition of a form. Only `server/fields` validates it with the full schema, so that the resident's browser need not
 * load that schema.
 */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>

/** Category id, as a number or as a string from a select element. */
const categoryId = z.pipe(
  z.union([rowId, z.string().check(z.regex(/^[1-9]\d{0,14}$/, CATEGORY_REQUIRED))], { error: CATEGORY_REQUIRED }),
  z.transform(Number),
)
export const whereForm = z.object({ categoryId, location: locationValue })

const fields = {
  description: z
    .string()
    .check(z.trim(), z.minLength(10, DESCRIPTION_SHORT), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
  ...contactFields,
}
export const reportForm = z.object({ ...fields, files: filesField }).check(reachable)

/** Loads the categories and settings for the form that reports a problem, with the caller's known contact details. */
export const requestChoices = endpoint({
  path: 'return/communication/choices',
  summary: 'Returns the request categories and settings for the request form',
  access: everybody,
  keepsSession: true,
  body: z.object({}),
  response: z.object({
    /** True if guests may not report. The caller must then sign in. */
    signInFirst: z.boolean(),
    hasMap: z.boolean(),
    categories: z.array(
      z.object({ id: z.number(), name: z.string(), hint: z.string(), needsLocation: z.boolean(), days: z.int() }),
    ),
    prefill: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  }),
})

export const requestQuestions = endpoint({
  path: 'return/communication/questions',
  summary: 'Returns the questions of a request category',
  access: everybody,
  body: z.object({ categoryId }),
  response: z.object({ definition, version: z.int(), today: z.string() }),
})

const nearRequest = z.object({
  publicId: z.string(),
  number: z.string(),
  title: z.string(),
  location: z.string(),
  at: z.string(),
  status: requestStates.state,
  metres: z.nullable(z.int()),
})

/**
 * Lists open requests of the same category nearby, without personal data. Instead of sending a new request, the caller
 * can follow one of them.
 */
export const nearRequests = endpoint({
  path: 'find/communication/near',
  summary: 'Returns open requests of the same category near a location',
  access: everybody,
  body: whereForm,
  response: z.object({ requests: z.array(nearRequest) }),
})

/** Sends a request. The session identifies the requester, and the host identifies the company. */
export const sendRequest = endpoint({
  path: 'send/communication/request',
  inPreview: 'report',
  summary: 'Sends a request to the company and emails its number',
  access: everybody,
  keepsSession: true,
  idempotent: true,
  body: z
    .object({
      ...fields,
      categoryId,
      location: locationValue,
      /** Version of the questions that the requester answered. 0 if the category has no questions. */
      version: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
      answers: z.record(z.string(), z.unknown()),
      files: fileIds,
    })
    .check(reachable),
  response: z.extend(done, { number: z.string(), token: z.string() }),
})

const publicId = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Choose a request.'))

/**
 * Form to follow a request. Residents follow with the email address of their account. Guests enter an email address and
 * confirm it.
 */
export const followForm = z.object({ email: newEmail })
export const followRequest = endpoint({
  path: 'follow/communication/request',
  summary: "Subscribes a follower to another person's request",
  access: everybody,
  keepsSession: true,
  body: z.object({ publicId, email: z.optional(newEmail) }),
  response: done,
})

const sealed = z
  .string()
  .check(z.regex(/^[\w.-]{20,400}$/, 'This link is incomplete. Open the full link from your email.'))

export const followedRequest = endpoint({
  path: 'return/communication/followed',
  whenOff: 'finish',
  summary: 'Returns a followed request by emailed link',
  access: everybody,
  body: z.object({ token: sealed }),
  response: z.object({
    number: z.string(),
    title: z.string(),
    location: z.string(),
    at: z.string(),
    status: requestStates.state,
    steps: z.array(z.object({ at: z.string(), status: requestStates.state })),
    following: z.enum(['asked', 'yes', 'stopped']),
    /** Number of the request that this one was merged into. Null if it was not merged. */
    mergedInto: z.nullable(z.string()),
  }),
})

export const changeFollowing = endpoint({
  path: 'change/communication/following',
  whenOff: 'finish',
  summary: 'Confirms or ends the following of a request',
  access: everybody,
  body: z.object({ token: sealed, follow: z.boolean() }),
  response: done,
})

/** Maximum number of requests that a resident's list shows, newest first. */
export const MAX_OWN = 200
export const myRequests = endpoint({
  path: 'return/my/requests',
  summary: "Returns the caller's requests and followed requests",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({
    requests: z.array(
      z.object({
        id: z.number(),
        number: z.string(),
        title: z.string(),
        location: z.string(),
        at: z.string(),
        updatedAt: z.string(),
        status: requestStates.state,
        /** True if the latest message is from staff and unread. */
        isNew: z.boolean(),
      }),
    ),
    followed: z.array(z.extend(z.omit(nearRequest, { metres: true, publicId: true }), { path: z.string() })),
    hasMap: z.boolean(),
    more: z.boolean(),
  }),
})

/** Returns a token that opens the page of the resident's request. Emails contain the same type of token. */
export const openMyRequest = endpoint({
  path: 'open/my/request',
  whenOff: 'finish',
  summary: "Returns a page token for one of the caller's requests",
  access: { audience: 'citizen' },
  body: z.object({ requestId: rowId }),
  response: z.object({ token: z.string() }),
})

/** Loads a request for its requester, without the case entries. */
export const requestByLink = endpoint({
  path: 'return/communication/request',
  whenOff: 'finish',
  summary: 'Returns a request by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
  response: z.object({
    number: z.string(),
    title: z.string(),
    location: z.string(),
    lat: z.nullable(z.number()),
    lon: z.nullable(z.number()),
    status: requestStates.state,
    dueAt: z.string(),
    answers: z.array(z.object({ label: z.string(), value: z.string() })),
    followers: z.int(),
    /** Number of the request that this one was merged into. Null if it was not merged. */
    mergedInto: z.nullable(z.string()),
    feedback: z.nullable(z.enum(['fixed', 'unfixed'])),
    reopenUntil: z.nullable(z.string()),
    /** Photos of the finished work. Empty until the request is completed. */
    photos: z.array(z.pick(photo, { id: true, preview: true })),
    can: z.object({ cancel: z.boolean(), giveFeedback: z.boolean(), reopen: z.boolean() }),
  }),
})

export const downloadRepairPhoto = downloadCall({
  path: 'download/communication/repair/photo',
  whenOff: 'finish',
  summary: 'Downloads a photo of the finished work by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken, photoId }),
})

export const cancelRequest = formCall({
  path: 'cancel/communication/request',
  whenOff: 'finish',
  summary: 'Cancels a request by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
})

export const feedbackForm = z.object({
  text: z.string().check(z.trim(), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
})
/**
 * Records the requester's feedback on a repair. Negative feedback reopens the request within the company's time limit.
 */
export const submitFeedback = formCall({
  path: 'submit/communication/feedback',
  whenOff: 'finish',
  summary: "Records the requester's feedback on a repair",
  access: everybody,
  body: z.extend(feedbackForm, { token: mailedToken, isFixed: z.boolean() }),
})

const publicRequest = z.object({
  id: z.number(),
  publicId: z.string(),
  number: z.string(),
  title: z.string(),
  location: z.string(),
  at: z.string(),
  closedAt: z.nullable(z.string()),
  status: requestStates.state,
  lat: z.nullable(z.number()),
  lon: z.nullable(z.number()),
})
export type PublicRequest = z.output<typeof publicRequest>

/** Lists requests of the last 90 days, without the names of the requesters or their text. */
export const publicRequests = endpoint({
  path: 'return/communication/reported',
  summary: 'Returns the recent requests without personal data',
  access: everybody,
  body: z.object({
    categoryId: z.optional(rowId),
    stands: z.optional(z.enum(['open', 'done'])),
    cursor: z.optional(z.string().check(z.maxLength(200))),
  }),
  response: z.object({
    rows: z.array(publicRequest),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
    categories: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
})
