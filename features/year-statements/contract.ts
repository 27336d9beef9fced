import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint } from '../../shared/endpoint.ts'

const residentAccess: Access = { audience: 'citizen' }

const year = z.int().check(z.minimum(2000), z.maximum(2200))
const cents = z.int()

/** Line of a payment, with net amounts after refunds and returns. */
const paidLine = z.object({
  paymentId: z.number(),
  /** Day of the payment in the company's time zone. */
  day: z.string(),
  /** Reference of the item, such as `Account 100231`, if the group contains several items. Otherwise empty. */
  reference: z.string(),
  method: z.int(),
  amountCents: cents,
  feeCents: cents,
  /** Refunded or returned part of the line and its fee, in cents. */
  refundCents: cents,
})

/** Payments for one account, permit, ticket or other item. Items with only one payment are grouped by title. */
const paidItem = z.object({
  title: z.string(),
  /** Reference such as `Account 100231`. Empty for a group of several items. */
  reference: z.string(),
  lines: z.array(paidLine),
  amountCents: cents,
  feeCents: cents,
})

export const paidInYear = endpoint({
  path: 'return/paid/in/year',
  summary: "Returns the caller's payments of a year by paid item",
  access: residentAccess,
  body: z.object({ companyId, year: z.optional(year) }),
  response: z.object({
    year: z.int(),
    /** Selectable years, newest first. */
    years: z.array(z.int()),
    payer: z.string(),
    items: z.array(paidItem),
    amountCents: cents,
    feeCents: cents,
    /** Number of fully reversed payments. The next field counts payments in an open dispute. */
    refunded: z.int(),
    disputed: z.int(),
  }),
})

export const printPaidInYear = downloadCall({
  path: 'print/paid/in/year',
  summary: "Downloads the caller's payments of a year as PDF",
  access: residentAccess,
  body: z.object({ companyId, year }),
})
