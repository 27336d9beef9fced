import * as z from 'zod/mini'
import { mobileField, nameField } from '../../shared/accounts.ts'
import { done, historyEntry } from '../../shared/responses.ts'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { caseCalls, caseView, fileIds, filesField, MESSAGE_LONG, noCardNumber, ofCase } from '../../shared/cases.ts'
import { emailOrNone, newEmail } from '../../shared/email.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { defineImportedFiles, importFields, importReport } from '../../shared/imports.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents } from '../../shared/money.ts'
import { photo, photoFiles, photoId } from '../../shared/photos.ts'
import { locationValue } from '../../shared/places.ts'
import { isState, STATE_UNKNOWN } from '../../shared/states.ts'
import { say } from '../../shared/messages.ts'
import { intoCart } from '../payments/contract.ts'
import { normalizeCitation, isCitation, isPlate, normalizePlate } from './rules.ts'
import { ticketStates } from './states.ts'
import { basis, companyId, line, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'
import { triedFact } from '../outages/contract-attempts.ts'
import { cleaned } from '../../shared/typed.ts'

/** API calls for residents and guests. */

/** Case calls of a contest, such as messages and assignment. */
export const contestCase = caseCalls({
  kind: 'parking_contest',
  audience: 'municipality',
  path: 'parking/contest',
  about: 'parking/contests',
  noun: 'contested parking ticket',
  rights: {
    read: ['parking', 'view'],
    write: ['parking', 'delete'],
    assign: ['chat', 'update'],
  },
})

export const CITATION_INVALID = 'Enter a citation number of 3 to 20 letters, digits and hyphens.'
export const PLATE_INVALID = 'Enter a plate of up to 10 letters and digits.'
export const STATE_INVALID = 'Enter the state as two capital letters.'
export const NAME_TICKET = 'Enter the citation number, or the plate and its state.'
export const NO_TICKET =
  'No ticket matches your entries. Check them against your ticket. A ticket issued today may not be listed yet.'

export const citation = z
  .string()
  .check(
    z.maxLength(60, CITATION_INVALID),
    z.overwrite(normalizeCitation),
    z.refine(isCitation, { error: CITATION_INVALID }),
  )
export const plate = z
  .string()
  .check(z.maxLength(60, PLATE_INVALID), z.overwrite(normalizePlate), z.refine(isPlate, { error: PLATE_INVALID }))
export const plateState = z
  .string()
  .check(cleaned(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, STATE_INVALID), z.refine(isState, { error: STATE_UNKNOWN }))

/** Makes a field optional, with '' as the empty value. */
const maybe = (schema: z.ZodMiniType<string, string>) =>
  z._default(z.union([z.string().check(cleaned(), z.length(0)), schema]), '')

/**
 * Search for tickets by citation number or license plate. A caller who enters both sees the photos and may contest the
 * ticket.
 */
export const ticketQuery = z
  .object({ citation: maybe(citation), plate: maybe(plate), plateState: maybe(plateState) })
  .check(
    z.refine((query) => query.citation !== '' || query.plate !== '', { error: NAME_TICKET, path: ['citation'] }),
    z.refine((query) => query.plate === '' || query.plateState !== '', {
      error: 'Enter the state that issued the license plate.',
      path: ['plateState'],
    }),
  )
export type TicketQuery = z.output<typeof ticketQuery>

export const ticketResult = z.object({
  citation: z.string(),
  status: ticketStates.state,
  /** License plate. Masked unless the caller entered it. */
  plate: z.string(),
  violation: z.string(),
  location: z.string(),
  issuedAt: z.string(),
  dueOn: z.string(),
  fineCents: cents,
  lateCents: cents,
  paidCents: z.int(),
  owedCents: cents,
  pendingCents: cents,
  /** Next late fee, and the day from which it applies if the ticket is still unpaid. */
  nextStep: z.nullable(z.object({ on: z.string(), feeCents: cents })),
  /** Last attempt to pay the ticket during an outage. */
  tried: triedFact,
  hearingAt: z.nullable(z.string()),
  hearingLocation: z.string(),
  photos: z.array(photo),
  /** Last day to contest the ticket. Null if the ticket's state does not allow a contest. */
  contestUntil: z.nullable(z.string()),
  can: z.object({
    pay: z.boolean(),
    contest: z.boolean(),
    /** True if the caller can contest only after also entering the plate. */
    contestWithPlate: z.boolean(),
  }),
})

/** Finds tickets: one by its citation number, or the open and contested tickets of a plate. */
export const findTickets = endpoint({
  path: 'find/parking/tickets',
  inPreview: 'find',
  whenOff: 'finish',
  summary: 'Finds parking tickets by citation number or license plate',
  access: { audience: 'public' },
  body: ticketQuery,
  response: z.object({
    tickets: z.array(ticketResult),
    /** Legal alternatives to paying, in the company's words. Empty if none. */
    alternatives: z.string(),
  }),
})

/** Opens a checkout for a ticket, or adds it to `cart`. */
export const payTicket = endpoint({
  path: 'open/parking/payment',
  inPreview: true,
  whenOff: 'finish',
  summary: 'Opens a checkout for a parking ticket or adds to `cart`',
  access: { audience: 'public' },
  body: z.object({ citation, cart: intoCart }),
  response: z.object({ token: z.string() }),
})

const lookupFields = { citation, plate, plateState }

export const seePhoto = downloadCall({
  path: 'download/parking/photo',
  whenOff: 'finish',
  summary: 'Downloads a parking ticket photo by citation number and license plate',
  access: { audience: 'public' },
  body: z.object({ ...lookupFields, photoId }),
})

export const GROUNDS_REQUIRED = 'Tell us why the ticket is wrong. Use at least 10 characters.'
const grounds = z
  .string()
  .check(z.trim(), z.minLength(10, GROUNDS_REQUIRED), z.maxLength(4000, MESSAGE_LONG), noCardNumber)
const contest = { name: nameField('Enter your name.'), email: newEmail, grounds }
export const contestForm = z.object({ ...contest, files: filesField })

/** Contests a ticket. Until the decision, late steps stop and the ticket cannot be paid. */
export const contestTicket = endpoint({
  path: 'send/parking/contest',
  whenOff: 'finish',
  summary: 'Sends a contest of a parking ticket and emails its link',
  access: { audience: 'public' },
  idempotent: true,
  body: z.object({ ...contest, ...lookupFields, files: fileIds }),
  response: z.extend(done, { number: z.string() }),
})

/** Calls for staff. Platform staff may act for a company with the same privileges (product rules, section 8). */
export const audience = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience, privilege: ['parking', 'view'] }

const enter: Access = { audience, privilege: ['parking', 'create'] }
const change: Access = { audience, privilege: ['parking', 'update'] }

/** Photos of a ticket. Staff see them, and so do callers who enter both citation number and plate. */
export const ticketPhotos = defineAttachments({
  kind: 'parking_photo',
  subject: 'parking_ticket',
  ...photoFiles,
  maxFiles: 6,
  access: enter,
})

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:mm, for example 14:30.'))

/** Details of a ticket that staff can correct. If the violation is wrong, staff void the ticket and issue a new one. */
const ticketFields = {
  plate,
  plateState,
  vehicle: line(80),
  officer: line(80),
  location: locationValue,
  issuedDate: isoDate,
  issuedTime: timeOfDay,
  notes: z.string().check(z.trim(), z.maxLength(1000, { error: () => say`Use no more than ${'1,000'} characters.` })),
  email: emailOrNone,
}
export const ticketDetails = z.object(ticketFields)
export const VIOLATION_REQUIRED = 'Choose a violation.'
export const newTicketForm = z.extend(ticketDetails, {
  citation,
  violation: z.string({ error: VIOLATION_REQUIRED }).check(z.minLength(1, VIOLATION_REQUIRED), z.maxLength(12)),
  warning: z._default(z.boolean(), false),
})

/** Issues a ticket. A warning has no fine and is closed from the start. */
export const enterTicket = formCall({
  path: 'muni/enter/parking/ticket',
  summary: 'Creates a parking ticket or warning',
  access: enter,
  body: z.extend(newTicketForm, { companyId }),
  response: z.extend(done, { ticketId: z.number() }),
})

export const saveTicket = formCall({
  path: 'muni/save/parking/ticket',
  summary: 'Saves the details of a parking ticket',
  access: change,
  body: z.extend(ticketDetails, { companyId, ticketId: rowId, basis }),
})

/** Returns a ticket with all details. The caller sends the id of the ticket or of its contest. */
export const returnTicket = endpoint({
  path: 'muni/return/parking/ticket',
  summary: 'Returns a parking ticket with its photos, payments and contest',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, ticketId: z.optional(rowId), contestId: z.optional(rowId) }),
  response: z.object({
    id: z.number(),
    citation: z.string(),
    status: ticketStates.state,
    violationCode: z.string(),
    violationText: z.string(),
    issuedAt: z.string(),
    details: z.object({
      plate: z.string(),
      plateState: z.string(),
      vehicle: z.string(),
      officer: z.string(),
      location: locationValue,
      issuedDate: z.string(),
      issuedTime: z.string(),
      notes: z.string(),
      email: z.string(),
    }),
    fineCents: cents,
    lateCents: cents,
    paidCents: z.int(),
    unpaidCents: cents,
    pendingCents: cents,
    dueOn: z.string(),
    contestUntil: z.nullable(z.string()),
    nextStep: z.nullable(z.object({ on: z.string(), feeCents: cents })),
    tried: triedFact,
    photos: z.array(photo),
    /** Transitions, oldest first. */
    history: z.array(historyEntry),
    payments: z.array(z.object({ number: z.string(), at: z.string(), cents: z.int(), refundCents: z.int() })),
    contest: z.nullable(
      z.object({
        id: z.number(),
        number: z.string(),
        name: z.string(),
        email: z.string(),
        phone: z.string(),
        address: z.string(),
        /** Date on which a paper contest was received. Empty for a contest sent in the portal. */
        receivedOn: z.string(),
        hearingAt: z.nullable(z.string()),
        hearingDate: z.string(),
        hearingTime: z.string(),
        hearingLocation: z.string(),
        decision: z.nullable(z.enum(['upheld', 'dismissed'])),
      }),
    ),
    can: z.object({
      edit: z.boolean(),
      addPhoto: z.boolean(),
      removePhoto: z.boolean(),
      hear: z.boolean(),
      contest: z.boolean(),
      extendContest: z.boolean(),
      steps: z.object({ uphold: z.boolean(), dismiss: z.boolean(), void: z.boolean() }),
    }),
  }),
})

/** Returns the case of a contest, for the company's own staff. */
export const returnContest = endpoint({
  path: 'muni/return/parking/contest',
  summary: 'Returns the messages of a parking ticket contest',
  access: { audience: 'municipality', privilege: ['parking', 'view'] },
  personal: true,
  body: ofCase,
  response: caseView,
})

/** Upholds or dismisses a contested ticket, or voids an open one. The person who contested it receives the reason. */
export const changeTicketStatus = formCall({
  path: 'muni/change/parking/ticket/status',
  summary: 'Upholds or dismisses a contested parking ticket, or voids a ticket',
  access: change,
  body: z.object({ companyId, ticketId: rowId, event: ticketStates.button, reason: z.optional(stepReason) }),
})

const enterContestFields = {
  receivedOn: isoDate,
  name: nameField('Enter the person’s name.'),
  address: line(200),
  phone: mobileField,
  email: emailOrNone,
  grounds,
}
const REACH_REQUIRED = 'Enter an address, a phone number or an email so that you can notify the person of the decision.'
/** Requires at least one contact, so that staff can notify the person of the decision. */
const reachable = z.refine<Record<'address' | 'phone' | 'email', string>>(
  ({ address, phone, email }) => address !== '' || phone !== '' || email !== '',
  { error: REACH_REQUIRED, path: ['address'], when: ({ value }) => typeof value === 'object' && value !== null },
)
export const enterContestForm = z.object({ ...enterContestFields, files: filesField }).check(reachable)

/** Enters a contest received on paper or at the counter. The contest becomes a case like one sent in the portal. */
export const enterContest = formCall({
  path: 'muni/enter/parking/contest',
  summary: 'Creates a contest received on paper or at the counter',
  access: change,
  body: z.object({ ...enterContestFields, files: fileIds, companyId, ticketId: rowId }).check(reachable),
  response: z.extend(done, { number: z.string() }),
})

export const moreTimeForm = z.object({ until: isoDate, reason: stepReason })

/** Extends the time to contest a ticket, even after the last day. */
export const extendContest = formCall({
  path: 'muni/extend/parking/contest',
  summary: 'Extends the time to contest a parking ticket',
  access: change,
  body: z.extend(moreTimeForm, { companyId, ticketId: rowId }),
})

export const hearingForm = z.object({
  hearingDate: isoDate,
  hearingTime: timeOfDay,
  hearingLocation: line(200).check(z.minLength(1, 'Enter the hearing location.')),
})

/** Sets or moves the hearing of a contest, adds it to the calendar and notifies the person. */
export const setHearing = formCall({
  path: 'muni/set/parking/hearing',
  summary: 'Sets the hearing of a contested parking ticket',
  access: change,
  body: z.extend(hearingForm, {
    companyId,
    ticketId: rowId,
    basis,
  }),
})

export const addPhoto = endpoint({
  path: 'muni/attach/parking/photo',
  summary: 'Uploads a photo of a parking ticket',
  access: enter,
  files: ticketPhotos,
  body: z.object({ companyId, ticketId: rowIdBesideFile('Choose a ticket.') }),
  response: uploadedFile,
})

export const removePhoto = endpoint({
  path: 'muni/remove/parking/photo',
  summary: 'Removes a photo from a parking ticket',
  access: change,
  body: z.object({ companyId, ticketId: rowId, photoId }),
  response: done,
})

export const downloadPhoto = downloadCall({
  path: 'muni/download/parking/photo',
  summary: 'Downloads a photo of a parking ticket',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, ticketId: rowId, photoId }),
})

export const violationForm = z.object({
  code: z
    .string()
    .check(
      cleaned(),
      z.toUpperCase(),
      z.regex(/^[A-Z0-9][A-Z0-9.-]{0,11}$/, 'Enter a code of up to 12 letters, digits, periods and hyphens.'),
    ),
  description: line(120).check(z.minLength(1, 'Enter the violation.')),
  amountCents: z
    .int({ error: 'Enter an amount, such as 25.00.' })
    .check(
      z.minimum(1, 'Enter an amount of at least $0.01.'),
      z.maximum(1_000_000, 'Enter an amount of no more than $10,000.00.'),
    ),
  active: z.boolean(),
})

/** Adds or changes a violation code. Existing tickets keep their fine and description. */
export const saveViolation = formCall({
  path: 'muni/save/parking/violation',
  summary: 'Creates or changes a violation code',
  access: change,
  body: z.extend(violationForm, { companyId, violationId: z.nullable(rowId), basis }),
  response: z.extend(done, { violationId: z.number() }),
})

const days = (max: number, errorText: string) =>
  z.int({ error: errorText }).check(z.minimum(1, errorText), z.maximum(max, errorText))
const MAX_STEPS = 8
const DAY_INVALID = 'Enter a number of days from 1 to 730.'
const step = z.object({
  day: days(730, DAY_INVALID),
  feeCents: cents.check(z.maximum(100_000, 'Enter a late fee of no more than $1,000.00.')),
  notifies: z.boolean(),
})

export const settingsForm = z.object({
  dueDays: days(120, 'Enter a number of days to pay, from 1 to 120.'),
  steps: z.array(step).check(
    z.maxLength(MAX_STEPS, { error: () => say`A schedule can have up to ${MAX_STEPS} steps.` }),
    z.refine((steps) => new Set(steps.map((one) => one.day)).size === steps.length, {
      error: 'Two steps are on the same day. Combine them.',
    }),
  ),
  contestDays: days(365, 'Enter a number of days to contest a ticket, from 1 to 365.'),
  noticeRenews: z.boolean(),
  bootTickets: days(50, 'Enter a number of unpaid tickets, from 1 to 50.'),
  bootDays: days(365, 'Enter a ticket age of 1 to 365 days for the boot list.'),
  alternatives: z
    .string()
    .check(z.trim(), z.maxLength(2000, { error: () => say`Use no more than ${'2,000'} characters.` })),
  hearingLocation: line(200),
  glAccount: line(40).check(z.minLength(1, 'Enter the GL account.')),
})

export const returnSettings = endpoint({
  path: 'muni/return/parking/settings',
  summary: 'Returns the settings for parking tickets',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ settings: settingsForm, can: z.object({ edit: z.boolean() }) }),
})

export const saveSettings = formCall({
  path: 'muni/save/parking/settings',
  summary: 'Saves the settings for parking tickets',
  access: change,
  body: z.extend(settingsForm, { companyId, basis }),
})

/** Uploaded file with tickets to import. */
export const ticketFile = defineImportedFiles({ kind: 'parking_file', unnamed: 'tickets', access: enter })

/** Imports tickets from a CSV or XLSX file, after a preview. If any row is invalid, the whole file is rejected. */
export const importTickets = endpoint({
  path: 'muni/import/parking/tickets',
  summary: 'Imports parking tickets from a CSV or XLSX file or previews the import',
  access: enter,
  takes: 'large-file',
  files: ticketFile,
  body: z.object({ companyId, ...importFields }),
  response: importReport,
})
