/** What staff can give back of a payment: the calls and the list, for both sides. */
import * as z from 'zod/mini'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { cents, choice, defineList, fact, filters, instant, text } from '../../shared/list.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents as money } from '../../shared/money.ts'
import { refundStates } from './refund-states.ts'

const access: Access = { audience: 'municipality', privilege: ['transaction_management', 'update'] }
const id = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))
const companyId = z.optional(z.union([z.number(), z.string()]))

const answer = z.object({ success: z.literal(true), message: z.string(), status: refundStates.state })

/** For the screen's form: the amount as it is typed. */
export const refundForm = z.object({
  amountCents: money.check(z.minimum(1, 'Enter an amount, such as 25.00.')),
  reason: stepReason,
})
export const voidForm = z.object({ reason: stepReason })

/** Gives a part of a payment back, or all of it; above the town's limit it waits for a second person. */
export const refundPayment = endpoint({
  path: 'muni/refund/payment',
  summary: 'Gives back all or a part of a payment',
  access,
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.extend(refundForm, { companyId, paymentId: id }),
  answer,
})

/** Takes a payment back as a whole before it is settled, as if it had not been. */
export const voidPayment = endpoint({
  path: 'muni/void/payment',
  summary: 'Voids a payment before it is settled',
  access,
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.extend(voidForm, { companyId, paymentId: id }),
  answer,
})

/** The second person's word. 403 for whoever asked for it themselves. */
export const decideRefund = endpoint({
  path: 'muni/decide/refund',
  summary: 'Approves or declines a refund that waits for a second person',
  access,
  idempotent: 'offered',
  whileImpersonating: 'refused',
  body: z.object({ companyId, refundId: id, event: refundStates.button, reason: z.optional(stepReason) }),
  answer,
})

export const refundKinds = { refund: 'Refund', void: 'Void' } as const

/** What staff gave back, and what waits for a second person. */
export const refundList = defineList('muni/return/refunds', 'Refunds and Voids', {
  nouns: ['refund', 'refunds'],
  summary: 'What staff give back of payments, a page at a time',
  access: { audience: ['municipality', 'platform'], privilege: ['transaction_management', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    receipt: text('Payment', { primary: true, letters: 10 }),
    paymentId: fact(z.number()),
    askedAt: instant('Asked', { sort: 'desc', priority: 1, letters: 13 }),
    kind: choice('Kind', refundKinds, { letters: 7 }),
    payer: text('Payer', { letters: 14 }),
    amountCents: cents('Amount', { priority: 1 }),
    status: choice('Status', refundStates.labels, { priority: 1, letters: 14 }),
    askedBy: text('Asked by', { letters: 12 }),
    decidedBy: text('Approved by', { priority: 3, letters: 12, csv: 'Approved or declined by' }),
    reason: text('Reason', { priority: 3 }),
    note: text('Note', { hidden: true }),
  },
  usualSort: 'askedAt',
  days: { column: 'askedAt' },
  filters: { status: filters.choice('Status', refundStates.labels, 'All statuses') },
  csv: { path: 'muni/export/refunds', file: 'refunds' },
})

/** Of one payment, for its slide-out. */
export const refundOfPayment = z.object({
  id: z.number(),
  kind: z.enum(['refund', 'void']),
  amountCents: money,
  status: refundStates.state,
  reason: z.string(),
  note: z.string(),
  askedAt: z.string(),
  askedBy: z.string(),
  decidedBy: z.string(),
  /** What the reader may do about it. */
  can: z.object({ approve: z.boolean(), decline: z.boolean() }),
})
