import * as z from 'zod/mini'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { cents, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { cents as money } from '../../shared/money.ts'
import { line as paidLine, quote as quoted } from '../payments/contract.ts'
import { declineReasons, disputeLabels, type ReturnCode, returnCodes } from '../payments/rules-declines.ts'
import { refundOfPayment } from '../refunds/contract.ts'
import { locations, methodLabels } from '../payments/rules.ts'
import { feeStates, orderStatusLabels } from '../payments/states.ts'
import { companyId } from '../../shared/body-parts.ts'

const access: Access = {
  audience: ['municipality', 'platform'],
  privilege: ['payments', 'view'],
}

/**
 * Signed amount in cents, within the safe integer range. A company's total may exceed the maximum of a single payment.
 */
const sumCents = z.int()
const sum = { amountCents: sumCents, feeCents: sumCents, totalCents: sumCents }

/** Labels of return codes, such as `R01 Not enough money`. */
const returnLabels = Object.fromEntries(
  Object.entries(returnCodes).map(([code, { label }]) => [code, `${code} ${label}`]),
) as Record<ReturnCode, string>

/** States of a separate fee that was not charged although its bill was paid. */
const uncharged = ['waiting', 'owed', 'waived', 'dropped'] as const

/** Options of columns that appear only in the exported file. */
const inFile = { screen: false, hidden: true } as const

/** The Payment Transaction Report: a page of payments, and the totals of all matching payments (spec 2.3, 2.19). */
export const paymentReport = defineList('muni/return/payment/transactions', 'Payment Transaction Report', {
  nouns: ['payment', 'payments'],
  summary: 'Lists the payments of the Payment Transaction Report',
  access: { audience: ['municipality', 'platform'], privilege: ['payments', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    receipt: text('Receipt', { primary: true, chars: 10 }),
    date: instant('Date', { sort: 'desc', group: true, priority: 1 }),
    payer: text('Payer', { chars: 14, priority: 1 }),
    email: text('Email', { hidden: true }),
    // References of the payment's lines.
    accountNumber: text('Account', { priority: 3, chars: 8 }),
    type: text('Type', { hidden: true, csv: false, group: true }),
    method: text('Method', { group: true, chars: 7 }),
    methodLabel: text('Paid with', { hidden: true }),
    location: text('Location', { hidden: true, group: true }),
    paymentStatus: text('Status', { group: true, priority: 1, chars: 14 }),
    returnCode: text('Return code', inFile),
    status: fact(z.int()),
    note: fact(z.string()),
    /** State of a separate fee that was not charged. Empty if the fee was charged or does not exist. */
    separateFee: fact(z.enum(['', ...uncharged])),
    amountCents: cents('Amount', { total: 'Total Amount:', priority: 2 }),
    feeCents: cents('Fee', { total: 'Total Fees:', chars: 10, priority: 2 }),
    totalCents: cents('Payment', { total: 'Total Payment:', sort: 'desc', csv: 'Total', priority: 1 }),
    refundedCents: cents('Refunded', inFile),
    refundedAmountCents: cents('Refunded amount', inFile),
    refundedFeeCents: cents('Refunded fee', inFile),
    retainedAmountCents: cents('Retained amount', inFile),
    retainedFeeCents: cents('Retained fee', inFile),
  },
  usualSort: 'date',
  days: { column: 'date', usual: 30 },
  filters: {
    status: filters.code('Status', orderStatusLabels, 'All statuses'),
    method: filters.code('Method', methodLabels, 'All methods'),
    location: filters.code('Location', locations, 'All locations'),
    declined: filters.choice('Decline reason', declineReasons, 'All payments'),
    returned: filters.choice('Returned eCheck', returnLabels, 'All payments'),
    disputed: filters.choice('Dispute', disputeLabels, 'All payments'),
    fee: filters.choice('Separate service fee', feeStates.labels, 'All payments'),
  },
  search: 'Search',
  /**
   * Totals of all matching payments, captured and not captured. Together they equal the sum of the rows. `unpaid`
   * contains declined and pending payments. `owed` contains separate fees that were declined or are pending. `other`
   * contains other reversals, such as a lost dispute.
   */
  totals: z.object({
    ...sum,
    refunded: z.object(sum),
    returned: z.object(sum),
    voided: z.object(sum),
    unpaid: z.object(sum),
    owed: z.object(sum),
    other: z.object(sum),
  }),
  csv: { path: 'muni/export/payment/transactions', file: 'payments' },
})

/** Returns one payment with its transitions, attempts and ledger entries, for the staff slide-out. */
export const paymentDetails = endpoint({
  path: 'muni/return/payment/details',
  summary: 'Returns a payment with its transitions, attempts and ledger entries',
  access,
  personal: true,
  body: z.object({ companyId, paymentId: z.int() }),
  response: z.object({
    payment: paymentReport.row,
    /** Number of the payment method, because `payment` contains only its label. */
    method: z.int(),
    quote: quoted,
    refundedCents: money,
    /** Refunds by staff, including refunds that await approval. `leftCents` is the amount that no refund covers yet. */
    refunds: z.array(refundOfPayment),
    leftCents: money,
    /** Part of `leftCents` that belongs to each line, by line number. */
    leftOfLines: z.array(z.object({ no: z.int(), leftCents: money })),
    can: z.object({ refund: z.boolean(), void: z.boolean(), respondToDispute: z.boolean() }),
    /** Separate fee of the payment, with the actions that the viewer may take. Null if none. */
    separateFee: z.nullable(
      z.object({
        status: feeStates.state,
        cents: money,
        can: z.object({ again: z.boolean(), waive: z.boolean() }),
      }),
    ),
    returnCode: z.nullable(z.string()),
    disputeOpen: z.boolean(),
    /** Messages that staff should check. They exclude returns and disputes, which the two fields above cover. */
    alerts: z.array(z.object({ at: z.string(), message: z.string() })),
    lines: z.array(paidLine),
    steps: z.array(z.object({ at: z.string(), event: z.string(), from: z.nullable(z.string()), to: z.string() })),
    attempts: z.array(
      z.object({
        no: z.int(),
        /** `fee` if the attempt charged the separate fee. */
        part: z.enum(['bill', 'fee']),
        at: z.string(),
        step: z.string(),
        reference: z.nullable(z.string()),
        error: z.nullable(z.string()),
      }),
    ),
    transfers: z.array(
      z.object({
        at: z.string(),
        debit: z.string(),
        credit: z.string(),
        amountCents: money,
        kind: z.string(),
        lineNo: z.nullable(z.int()),
      }),
    ),
  }),
})
