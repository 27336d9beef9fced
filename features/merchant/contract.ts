import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { basis, companyId, line } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { periodInOrder } from '../../shared/period.ts'
import { declineReasons, type DeclineReason } from '../payments/report.ts'
import { type Month, months } from './rules.ts'
import { cleaned } from '../../shared/typed.ts'

const look: Access = { audience: 'municipality', privilege: ['transaction_management', 'view'] }
const takeAlong: Access = { audience: 'municipality', privilege: ['transaction_management', 'create'] }
const change: Access = { audience: 'municipality', privilege: ['transaction_management', 'update'] }

/** Signed cents of any size that stays exact: a town's sums. */
const sumCents = z.int()
const period = { fromDate: isoDate, toDate: isoDate }

/**
 * What became of the payments of some days: `payments` were taken, `grossCents` with them (bill and fee); of that went back
 * what is refunded, returned, voided and taken in other ways, such as corrections. `keptCents` is what is left.
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
  keptCents: sumCents,
})
export type Volume = z.output<typeof volume>

const both = <Of extends z.ZodMiniType>(of: Of) => ({ now: of, before: of })
const tried = z.object({ approved: z.int(), declined: z.int() })
const returned = z.object({ debits: z.int(), unauthorized: z.int(), administrative: z.int(), other: z.int() })
const disputes = z.object({ open: z.int(), won: z.int(), lost: z.int(), cents: sumCents, cardPayments: z.int() })
const fees = z.object({ paidCents: sumCents, absorbedCents: sumCents, backCents: sumCents, costCents: sumCents })
const payout = z.object({
  id: z.number(),
  trace: z.string(),
  paidAt: z.string(),
  arrivesOn: z.string(),
  netCents: sumCents,
  deposited: z.boolean(),
})

/** What a town's payments came to (specification 2.3). All by the day of the payment, except payouts and their cost. */
export const merchantOverview = endpoint({
  path: 'muni/return/merchant/overview',
  summary: 'Volume, approvals, returns, disputes, fees and payouts of a period beside the one before',
  access: look,
  body: z.object({ companyId, ...period }).check(...periodInOrder()),
  answer: z.object({
    /** What was asked for: a page that shows these figures until others come reads here of which days they are. */
    period: z.object({ fromDate: z.string(), toDate: z.string() }),
    before: z.object({ fromDate: z.string(), toDate: z.string() }),
    volume: z.object(both(volume)),
    /** By the numbers of ways to pay and of places; each that had payments in one of the periods. */
    methods: z.array(z.object({ method: z.int(), ...both(volume) })),
    locations: z.array(z.object({ location: z.int(), ...both(volume) })),
    /** What was taken by day or month, in order and without gaps. */
    points: z.array(z.object({ at: z.string(), cardCents: sumCents, echeckCents: sumCents, officeCents: sumCents })),
    /** Attempts by card and eCheck. */
    attempts: z.object(both(tried)),
    reasons: z.array(
      z.object({
        reason: z.enum(Object.keys(declineReasons) as [DeclineReason, ...DeclineReason[]]),
        attempts: z.int(),
        /** The payments that they were of. */
        payments: z.int(),
      }),
    ),
    /** eChecks that came back, also before they were paid. */
    returns: z.object(both(returned)),
    returnCodes: z.array(z.object({ code: z.string(), payments: z.int(), cents: sumCents })),
    disputes: z.object(both(disputes)),
    fees: z.object(both(fees)),
    payouts: z.object({
      /** The newest first; five at most. */
      last: z.array(payout),
      /** Of the last 30: how many days after they were paid out they arrive, and whether any began on a weekend. */
      schedule: z.nullable(
        z.object({ payouts: z.int(), leastDays: z.int(), mostDays: z.int(), weekends: z.boolean() }),
      ),
      /** On their way to the bank, and when the first of them arrives. */
      underWay: z.object({ payouts: z.int(), cents: sumCents, next: z.nullable(z.string()) }),
      /** Should have arrived by now and did not. */
      late: z.object({ payouts: z.int(), cents: sumCents }),
      /** Taken in the last 35 days and in no payout yet, and by when that is at the bank as a rule. */
      held: z.object({ payments: z.int(), cents: sumCents, by: z.nullable(z.string()) }),
    }),
  }),
})

export const exportOverview = downloadCall({
  path: 'muni/export/merchant/overview',
  summary: 'What a period came to by day, way to pay and place, as CSV',
  access: takeAlong,
  body: z.object({ companyId, ...period }).check(...periodInOrder()),
})

export const processorReports = endpoint({
  path: 'muni/return/processor/reports',
  summary: 'Whose reports of payments there are',
  access: look,
  body: z.object({ companyId }),
  answer: z.object({ processorId: z.int(), name: z.string() }),
})

const year = z.int().check(z.minimum(2000), z.maximum(2200))
/** Boxes 1a, 1b, 3 and 5a to 5l. */
const figures = z.object({
  grossCents: sumCents,
  notPresentCents: sumCents,
  transactions: z.int(),
  monthCents: z.array(sumCents),
})
export type Figures = z.output<typeof figures>

/** An amount as the paper has it, which may be larger than any that is paid: `12,345,678.90`; nothing stands for 0. */
const onPaper = z
  .string()
  .check(
    cleaned(),
    z.regex(/^(?:\$?(?:\d{1,3}(?:,\d{3}){0,4}|\d{1,13})(?:\.\d{1,2})?)?$/, 'Enter an amount, such as 12,345.67.'),
  )
const monthAmounts = Object.fromEntries(months.map((month) => [month, onPaper])) as Record<Month, typeof onPaper>

/** What the paper says, as it is typed in. */
export const reportedForm = z.object({
  filer: line(80).check(z.minLength(1, 'Enter who filed the form, as it stands on it.')),
  payee: line(120).check(z.minLength(1, 'Enter the legal entity that the form names.')),
  tinLast4: line(4).check(z.regex(/^(?:\d{4})?$/, 'Enter the last four digits of the number, or leave it empty.')),
  gross: onPaper.check(z.minLength(1, 'Enter the amount of box 1a.')),
  notPresent: onPaper,
  transactions: z.string().check(cleaned(), z.regex(/^\d{1,9}$/, 'Enter a whole number.')),
  ...monthAmounts,
})
export type ReportedAmounts = z.output<typeof reportedForm>

/** The figures of Form 1099-K: gross, by the day of the payment, with no fee, refund or dispute taken off. */
export const form1099k = endpoint({
  path: 'muni/return/form/1099k',
  summary: 'What Form 1099-K should say for a year, as the ledger has it, beside what the provider reported',
  access: look,
  body: z.object({ companyId, year }),
  answer: z.object({
    year,
    /** The town's legal entity, as its settings name it, and its provider. */
    payee: z.string(),
    provider: z.string(),
    /** Payments by card. */
    ledger: figures,
    /** Payments by eCheck, which are no part of the form as a rule. */
    echecks: figures,
    /** Voided before they were settled, which are in neither. */
    voided: z.object({ transactions: z.int(), cents: sumCents }),
    reported: z.nullable(z.object({ form: reportedForm, figures, savedAt: z.string(), savedBy: z.string() })),
    mayChange: z.boolean(),
  }),
})

export const saveForm1099k = formCall({
  path: 'muni/save/form/1099k',
  summary: 'Saves what the provider reported on Form 1099-K',
  access: change,
  whileImpersonating: 'refused',
  body: z.extend(reportedForm, { basis, companyId, year }),
  answer: done,
})

export const printForm1099k = downloadCall({
  path: 'muni/print/form/1099k',
  summary: 'The figures of Form 1099-K of a year as a PDF',
  access: look,
  body: z.object({ companyId, year }),
})

export const exportForm1099k = downloadCall({
  path: 'muni/export/form/1099k',
  summary: 'The figures of Form 1099-K of a year as CSV, by month',
  access: takeAlong,
  body: z.object({ companyId, year }),
})
