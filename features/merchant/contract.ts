import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { basis, companyId, line } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { periodInOrder } from '../../shared/period.ts'
import { declineReasons, type DeclineReason } from '../payments/rules-declines.ts'
import { type Month, months } from './rules.ts'
import { cleaned } from '../../shared/typed.ts'

const viewAccess: Access = { audience: 'municipality', privilege: ['merchant_reports', 'view'] }
const takeAlong: Access = { audience: 'municipality', privilege: ['merchant_reports', 'create'] }
const change: Access = { audience: 'municipality', privilege: ['merchant_reports', 'update'] }

/** Signed amount in cents within the safe integer range, for a company's totals. */
const sumCents = z.int()
const period = { fromDate: isoDate, toDate: isoDate }

/**
 * Payment totals of a period. `grossCents` is the sum of bill and fee of all `payments`. Refunds, returns, voids and
 * other reversals such as corrections reduce it. `retainedCents` is the remainder.
 */
const volume = z.object({
  payments: z.int(),
  billCents: sumCents,
  feeCents: sumCents,
  grossCents: sumCents,
  refundedCents: sumCents,
  returnedCents: sumCents,
  voidedCents: sumCents,
  otherCents: sumCents,
  retainedCents: sumCents,
})
export type Volume = z.output<typeof volume>

const both = <Of extends z.ZodMiniType>(of: Of) => ({ now: of, before: of })
const tried = z.object({ approved: z.int(), declined: z.int() })
const returned = z.object({ debits: z.int(), unauthorized: z.int(), administrative: z.int(), other: z.int() })
const disputes = z.object({ open: z.int(), won: z.int(), lost: z.int(), cents: sumCents, cardPayments: z.int() })
const fees = z.object({ paidCents: sumCents, absorbedCents: sumCents, refundCents: sumCents, costCents: sumCents })
const payout = z.object({
  id: z.number(),
  trace: z.string(),
  paidAt: z.string(),
  arrivesOn: z.string(),
  netCents: sumCents,
  deposited: z.boolean(),
})

/** Payment totals of a company (spec 2.3). All figures are by payment date, except payouts and their cost. */
export const merchantOverview = endpoint({
  path: 'muni/return/merchant/overview',
  summary: 'Returns payment totals of a period and of the previous one',
  access: viewAccess,
  body: z.object({ companyId, ...period }).check(...periodInOrder()),
  response: z.object({
    /** Period of these figures. The page reads it here, because it still shows older figures while new figures load. */
    period: z.object({ fromDate: z.string(), toDate: z.string() }),
    before: z.object({ fromDate: z.string(), toDate: z.string() }),
    volume: z.object(both(volume)),
    /** Totals for each payment method and each location with payments in one of the two periods. */
    methods: z.array(z.object({ method: z.int(), ...both(volume) })),
    locations: z.array(z.object({ location: z.int(), ...both(volume) })),
    /** Payments for each day or month, in order and without gaps. */
    points: z.array(z.object({ at: z.string(), cardCents: sumCents, echeckCents: sumCents, officeCents: sumCents })),
    attempts: z.object(both(tried)),
    reasons: z.array(
      z.object({
        reason: z.enum(Object.keys(declineReasons) as [DeclineReason, ...DeclineReason[]]),
        attempts: z.int(),
        /** Number of payments that these attempts belong to. */
        payments: z.int(),
      }),
    ),
    /** Returned eChecks, including those returned before settlement. */
    returns: z.object(both(returned)),
    returnCodes: z.array(z.object({ code: z.string(), payments: z.int(), cents: sumCents })),
    disputes: z.object(both(disputes)),
    fees: z.object(both(fees)),
    payouts: z.object({
      /** Last payouts, newest first, at most five. */
      last: z.array(payout),
      /** Days from payout to arrival for the last 30 payouts. `weekends` is true if a payout started on a weekend. */
      schedule: z.nullable(z.object({ payouts: z.int(), minDays: z.int(), maxDays: z.int(), weekends: z.boolean() })),
      /** Payouts in transit to the bank. `next` is the arrival date of the first payout. */
      inTransit: z.object({ payouts: z.int(), cents: sumCents, next: z.nullable(z.string()) }),
      /** Payouts that have not arrived although their arrival date has passed. */
      late: z.object({ payouts: z.int(), cents: sumCents }),
      /** Payments of the last 35 days without a payout, and the date by which they usually reach the bank. */
      held: z.object({ payments: z.int(), cents: sumCents, by: z.nullable(z.string()) }),
    }),
  }),
})

export const exportOverview = downloadCall({
  path: 'muni/export/merchant/overview',
  summary: 'Exports payment totals by day, method and location as CSV',
  access: takeAlong,
  body: z.object({ companyId, ...period }).check(...periodInOrder()),
})

export const processorReports = endpoint({
  path: 'muni/return/processor/reports',
  summary: "Returns the processor of the company's payment reports",
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ processorId: z.int(), name: z.string() }),
})

const year = z.int().check(z.minimum(2000), z.maximum(2200))
/** Boxes 1a, 1b, 3 and 5a to 5l of Form 1099-K. */
const figures = z.object({
  grossCents: sumCents,
  notPresentCents: sumCents,
  transactions: z.int(),
  monthCents: z.array(sumCents),
})
export type Figures = z.output<typeof figures>

/**
 * Amount as printed on Form 1099-K, for example `12,345,678.90`. It may exceed the limit of a single payment. Empty
 * means 0.
 */
const reportedAmount = z
  .string()
  .check(
    cleaned(),
    z.regex(/^(?:\$?(?:\d{1,3}(?:,\d{3}){0,4}|\d{1,13})(?:\.\d{1,2})?)?$/, 'Enter an amount, such as 12,345.67.'),
  )
const monthAmounts = Object.fromEntries(months.map((month) => [month, reportedAmount])) as Record<
  Month,
  typeof reportedAmount
>

/** Amounts on Form 1099-K, as staff entered them. */
export const reportedForm = z.object({
  filer: line(80).check(z.minLength(1, 'Enter the filer’s name as shown on the form.')),
  payee: line(120).check(z.minLength(1, 'Enter the legal entity named on the form.')),
  tinLast4: line(4).check(
    z.regex(/^(?:\d{4})?$/, 'Enter the last four digits of the taxpayer ID number (TIN), or leave the field empty.'),
  ),
  gross: reportedAmount.check(z.minLength(1, 'Enter the amount in box 1a.')),
  notPresent: reportedAmount,
  transactions: z.string().check(cleaned(), z.regex(/^\d{1,9}$/, 'Enter a whole number.')),
  ...monthAmounts,
})
export type ReportedAmounts = z.output<typeof reportedForm>

/** Returns the figures of Form 1099-K: gross amounts by payment date, before fees, refunds and disputes. */
export const form1099k = endpoint({
  path: 'muni/return/form/1099k',
  summary: 'Returns the Form 1099-K figures from ledger and provider',
  access: viewAccess,
  body: z.object({ companyId, year }),
  response: z.object({
    year,
    /** `payee` is the legal entity from the company's settings. `provider` is the company's payment provider. */
    payee: z.string(),
    provider: z.string(),
    ledger: figures,
    /** Payments by eCheck. Form 1099-K usually does not include them. */
    echecks: figures,
    /** Payments voided before settlement. Neither `ledger` nor `echecks` includes them. */
    voided: z.object({ transactions: z.int(), cents: sumCents }),
    reported: z.nullable(z.object({ form: reportedForm, figures, savedAt: z.string(), savedBy: z.string() })),
    mayChange: z.boolean(),
  }),
})

export const saveForm1099k = formCall({
  path: 'muni/save/form/1099k',
  summary: 'Saves the Form 1099-K figures reported by the provider',
  access: change,
  whileImpersonating: 'refused',
  body: z.extend(reportedForm, { basis, companyId, year }),
  response: done,
})

export const printForm1099k = downloadCall({
  path: 'muni/print/form/1099k',
  summary: 'Downloads the Form 1099-K figures of a year as PDF',
  access: viewAccess,
  body: z.object({ companyId, year }),
})

export const exportForm1099k = downloadCall({
  path: 'muni/export/form/1099k',
  summary: 'Exports the monthly Form 1099-K figures of a year as CSV',
  access: takeAlong,
  body: z.object({ companyId, year }),
})
