import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint } from '../../shared/endpoint.ts'

const theirs: Access = { audience: 'citizen' }

const year = z.int().check(z.minimum(2000), z.maximum(2200))
const cents = z.int()

/** A line of a payment, with what is kept of it today: what was refunded or returned of it is taken off. */
const paidLine = z.object({
  paymentId: z.number(),
  /** The town's day on which it was paid. */
  day: z.string(),
  /** What it was for, where several things stand together; else empty. */
  reference: z.string(),
  method: z.int(),
  amountCents: cents,
  feeCents: cents,
  /** What went back of the line and its fee. */
  backCents: cents,
})

/** What was paid for one thing: an account, a permit, a ticket. Those of one title that were paid once each are one. */
const paidThing = z.object({
  title: z.string(),
  /** What it is known by: `Account 100231`; empty where several stand together. */
  reference: z.string(),
  lines: z.array(paidLine),
  amountCents: cents,
  feeCents: cents,
})

export const paidInYear = endpoint({
  path: 'return/paid/in/year',
  summary: 'What the signed-in resident paid in a year, by what it was paid for',
  access: theirs,
  body: z.object({ companyId, year: z.optional(year) }),
  answer: z.object({
    year: z.int(),
    /** Those to choose from, the newest first. */
    years: z.array(z.int()),
    payer: z.string(),
    things: z.array(paidThing),
    amountCents: cents,
    feeCents: cents,
    /** Payments of the year of which nothing is left, and of which it is not decided yet, being disputed. */
    givenBack: z.int(),
    disputed: z.int(),
  }),
})

export const printPaidInYear = downloadCall({
  path: 'print/paid/in/year',
  summary: 'The same as a PDF',
  access: theirs,
  body: z.object({ companyId, year }),
})
