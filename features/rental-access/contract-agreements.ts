import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { mailedToken } from '../../shared/cases.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { agreementInput, viewAccess } from '../rentals/contract.ts'
import { signingStatuses } from '../rentals/rules.ts'

/**
 * Rental questions and agreements. Staff define the questions, residents answer and sign, and both can read the
 * answers.
 */

const change: Access = { audience: ['municipality', 'platform'], privilege: ['rentals', 'update'] }
const resident: Access = { audience: 'citizen' }
const everybody: Access = { audience: 'public' }

/**
 * Form definition. `server/fields` validates it with its own schema, so the resident's browser need not load that
 * schema.
 */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const raw = z.record(z.string(), z.unknown())

/** Current questions, with the saved draft in `start`. */
const questions = z.object({ version: z.int(), definition, start: raw, today: z.string() })
const signed = z.object({
  version: z.int(),
  definition,
  answers: raw,
  at: z.string(),
  by: z.string(),
  byStaff: z.boolean(),
  today: z.string(),
})
export type SignedAgreement = z.output<typeof signed>
const stands = z.enum(signingStatuses)

// Endpoints for residents.

export const rentalQuestions = endpoint({
  path: 'return/rental/questions',
  summary: "Returns a resource's questions with the caller's saved draft",
  access: resident,
  /** `reservationId` is set for an existing reservation without a signed agreement. */
  body: z.object({ resourceId: rowId, reservationId: z.optional(rowId) }),
  response: z.object({
    /** Null if the resource has no questions. */
    questions: z.nullable(z.extend(questions, { changes: z.array(z.string()), isDraft: z.boolean() })),
  }),
})
export const saveRentalDraft = endpoint({
  path: 'save/rental/draft',
  summary: "Saves the caller's draft answers to a resource's questions",
  access: resident,
  /**
   * `before` contains the values that this device last sent or received. With them, the server keeps changes from other
   * devices.
   */
  body: z.object({
    resourceId: rowId,
    reservationId: z.optional(rowId),
    version: z.int(),
    raw,
    before: z.optional(raw),
  }),
  response: z.object({ savedAt: z.string(), others: z.array(z.string()) }),
})
export const seeRentalChanges = endpoint({
  path: 'see/rental/question/changes',
  summary: 'Confirms that the resident has seen the changed questions',
  access: resident,
  body: z.object({ resourceId: rowId, reservationId: z.optional(rowId) }),
  response: z.object({ success: z.literal(true) }),
})

export const myAgreement = endpoint({
  path: 'return/my/rental/agreement',
  whenOff: 'finish',
  summary: "Returns the agreement of the caller's reservation with its signing status",
  access: resident,
  body: z.object({ reservationId: rowId }),
  response: z.object({ stands, canSign: z.boolean(), signed: z.nullable(signed) }),
})
export const signRental = formCall({
  path: 'sign/my/rental',
  whenOff: 'finish',
  summary: "Saves the answers and signs the agreement of the caller's reservation",
  access: resident,
  whileImpersonating: 'refused',
  body: z.extend(agreementInput, { reservationId: rowId }),
})

export const rentalToSign = endpoint({
  path: 'return/rental/to/sign',
  whenOff: 'finish',
  summary: "Returns a reservation's questions and agreement by emailed link",
  access: everybody,
  body: z.object({ token: mailedToken }),
  response: z.object({
    number: z.string(),
    title: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
    /** Number of dates reserved together. */
    dates: z.number(),
    name: z.string(),
    /** Null if the agreement is signed or can no longer be signed. */
    questions: z.nullable(questions),
    signed: z.nullable(signed),
  }),
})
export const signByLink = formCall({
  path: 'sign/rental/by/link',
  whenOff: 'finish',
  summary: "Saves the answers and signs a reservation's agreement by emailed link",
  access: everybody,
  whileImpersonating: 'refused',
  body: z.extend(agreementInput, { token: mailedToken }),
})

// Endpoints for staff.

export const staffAgreement = endpoint({
  path: 'muni/return/rental/agreement',
  summary: 'Returns the agreement of a reservation with its signing status',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, reservationId: rowId }),
  response: z.object({
    stands,
    signed: z.nullable(signed),
    /** Questions to which staff enter the renter's answers. Null if staff cannot enter them now. */
    questions: z.nullable(questions),
    can: z.object({ answer: z.boolean(), send: z.boolean() }),
  }),
})
export const signForRental = formCall({
  path: 'muni/sign/rental',
  summary: 'Saves answers and a signature for a reservation as staff',
  access: change,
  body: z.extend(agreementInput, { companyId, reservationId: rowId }),
})
export const sendSignLink = formCall({
  path: 'muni/send/rental/sign/link',
  summary: 'Emails the renter a new signing link for a reservation',
  access: change,
  body: z.object({ companyId, reservationId: rowId }),
})

export const rentalFields = endpoint({
  path: 'muni/return/rental/fields',
  summary: 'Returns the draft questions of a resource',
  access: viewAccess,
  body: z.object({ companyId, resourceId: rowId }),
  response: z.object({
    name: z.string(),
    hasQuestions: z.boolean(),
    draft: definition,
    latestVersion: z.int(),
    today: z.string(),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const saveRentalFields = formCall({
  path: 'muni/save/rental/fields',
  summary: 'Saves the draft questions of a resource',
  access: change,
  body: z.object({ companyId, resourceId: rowId, definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})
export const publishRentalFields = formCall({
  path: 'muni/publish/rental/fields',
  summary: 'Publishes the draft questions of a resource as a version',
  access: change,
  body: z.object({ companyId, resourceId: rowId, definition }),
  response: z.extend(done, { version: z.int() }),
})
