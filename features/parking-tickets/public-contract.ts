import * as z from 'zod/mini'
import { nameField } from '../../shared/accounts.ts'
import { done } from '../../shared/answers.ts'
import { caseCalls, fileIds, filesField, MESSAGE_LONG, noCardNumber } from '../../shared/cases.ts'
import { newEmail } from '../../shared/email.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { cents } from '../../shared/money.ts'
import { isState, STATE_UNKNOWN } from '../../shared/states.ts'
import { citationOf, isCitation, isPlate, plateOf } from './rules.ts'
import { ticketStates } from './states.ts'

/** What residents and guests do. The staff's calls are in `contract.ts`, which no resident's browser loads. */

/** The conversation about a contest. */
export const contestCase = caseCalls({
  kind: 'parking_contest',
  desk: 'municipality',
  path: 'parking/contest',
  about: 'parking/contests',
  noun: 'contest of a parking ticket',
  rights: {
    read: ['transaction_management', 'view'],
    write: ['communication_management', 'update'],
    assign: ['chat', 'update'],
  },
})

export const CITATION_WRONG = 'A citation number has 3 to 20 letters, digits and hyphens.'
export const PLATE_WRONG = 'A plate has up to 10 letters and digits.'
export const STATE_WRONG = 'State is two capital letters.'
export const NAME_TICKET = 'Enter the citation number, or the plate and its state.'
export const NO_TICKET =
  'No ticket matches what you entered. Check it against your ticket. One that was written today may not be here yet.'

export const citation = z
  .string()
  .check(z.maxLength(60, CITATION_WRONG), z.overwrite(citationOf), z.refine(isCitation, { error: CITATION_WRONG }))
export const plate = z
  .string()
  .check(z.maxLength(60, PLATE_WRONG), z.overwrite(plateOf), z.refine(isPlate, { error: PLATE_WRONG }))
export const plateState = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, STATE_WRONG), z.refine(isState, { error: STATE_UNKNOWN }))

/** The same where nothing may stand as well. */
const maybe = (schema: z.ZodMiniType<string, string>) =>
  z._default(z.union([z.string().check(z.trim(), z.length(0)), schema]), '')

/** A ticket is named by its citation, or by the plate. Who names both sees its photos and may contest it. */
export const ticketQuery = z
  .object({ citation: maybe(citation), plate: maybe(plate), plateState: maybe(plateState) })
  .check(
    z.refine((asked) => asked.citation !== '' || asked.plate !== '', { error: NAME_TICKET, path: ['citation'] }),
    z.refine((asked) => asked.plate === '' || asked.plateState !== '', {
      error: 'Enter the state of the plate.',
      path: ['plateState'],
    }),
  )
export type TicketQuery = z.output<typeof ticketQuery>

export const photo = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'clean', 'refused']),
  /** A small picture as an address that holds it; null until it was scanned. */
  preview: z.nullable(z.string()),
})

export const foundTicket = z.object({
  citation: z.string(),
  status: ticketStates.state,
  /** Masked, unless it was named. */
  plate: z.string(),
  violation: z.string(),
  place: z.string(),
  issuedAt: z.string(),
  dueOn: z.string(),
  fineCents: cents,
  lateCents: cents,
  paidCents: z.int(),
  owedCents: cents,
  underWayCents: cents,
  /** What comes if it is not paid before. */
  nextStep: z.nullable(z.object({ on: z.string(), feeCents: cents })),
  hearingAt: z.nullable(z.string()),
  hearingPlace: z.string(),
  photos: z.array(photo),
  can: z.object({
    pay: z.boolean(),
    contest: z.boolean(),
    /** It could be contested by somebody who names its plate as well. */
    contestWithPlate: z.boolean(),
  }),
})

/** Finds tickets. By a citation that one alone; by a plate those that are open or contested. */
export const findTickets = endpoint({
  path: 'find/parking/tickets',
  summary: 'Finds parking tickets by citation number, or by plate and state',
  access: { audience: 'public' },
  body: ticketQuery,
  answer: z.object({
    tickets: z.array(foundTicket),
    /** What the law offers instead of paying, in the town's words; '' for nothing. */
    alternatives: z.string(),
  }),
})

/** Opens a checkout for a ticket. */
export const payTicket = endpoint({
  path: 'open/parking/payment',
  summary: 'Opens the payment of a parking ticket',
  access: { audience: 'public' },
  body: z.object({ citation }),
  answer: z.object({ token: z.string() }),
})

const photoId = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Say which photo is meant.'))
const bothFacts = { citation, plate, plateState }

export const seePhoto = endpoint({
  path: 'download/parking/photo',
  summary: 'A photo of a parking ticket, for somebody who names its citation and its plate',
  access: { audience: 'public' },
  answers: 'download',
  body: z.object({ ...bothFacts, photoId }),
  answer: z.object({ url: z.string() }),
})

export const GROUNDS_REQUIRED = 'Tell us in at least 10 characters why the ticket is wrong.'
const contest = {
  name: nameField('Enter your name.'),
  email: newEmail,
  grounds: z.string().check(z.trim(), z.minLength(10, GROUNDS_REQUIRED), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
}
export const contestForm = z.object({ ...contest, files: filesField })

/** Contests a ticket: fees, steps and payment stop until it is decided. */
export const contestTicket = endpoint({
  path: 'send/parking/contest',
  summary: 'Contests a parking ticket, and mails a link to the conversation about it',
  access: { audience: 'public' },
  idempotent: true,
  body: z.object({ ...contest, ...bothFacts, files: fileIds }),
  answer: z.extend(done, { number: z.string() }),
})
