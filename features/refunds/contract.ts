import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents } from '../../shared/money.ts'
import { refundStates } from '../payments/states.ts'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'

const mayRefund: Access = { audience: 'municipality', privilege: ['refunds', 'create'] }

const refundResponse = z.object({ success: z.literal(true), message: z.string(), status: refundStates.state })
/** Options that the refund calls share. */
const refunds = { access: mayRefund, whileImpersonating: 'refused', response: refundResponse } as const

/** Fields of the refund form. */
export const refundForm = z.object({
  amountCents: cents.check(z.minimum(1, 'Enter an amount, such as 25.00.')),
  /** Number of the refunded line item. Null if the payment has only one line, or if the full payment is refunded. */
  line: z._default(z.nullable(z.int().check(z.minimum(1))), null),
  reason: stepReason,
})
export const voidForm = z.object({ reason: stepReason })
/**
 * `leftCents` of the payment when the person opened it. If the amount has changed since then, the response is 409
 * `seen_otherwise`.
 */
const leftSeen = basis

/** Refunds a payment in part or in full. A refund above the company's limit needs approval first. */
export const refundPayment = endpoint({
  path: 'muni/refund/payment',
  summary: 'Refunds a payment in part or in full',
  ...refunds,
  idempotent: true,
  body: z.extend(refundForm, { companyId, paymentId: rowId, basis: leftSeen }),
})

/** Voids a full payment before settlement. The payer is then not charged. */
export const voidPayment = endpoint({
  path: 'muni/void/payment',
  summary: 'Voids a payment before settlement',
  ...refunds,
  idempotent: true,
  body: z.extend(voidForm, { companyId, paymentId: rowId, basis: leftSeen }),
})

/**
 * Sends the company's evidence for a disputed payment to the payer's bank.
 * @throws 409 if the payment has no dispute that accepts evidence
 */
export const respondToDispute = endpoint({
  path: 'muni/respond/dispute',
  summary: "Sends the company's evidence against a dispute",
  access: mayRefund,
  whileImpersonating: 'refused',
  idempotent: true,
  body: z.extend(voidForm, { companyId, paymentId: rowId }),
  response: done,
})

/**
 * Approves or declines a refund.
 * @throws 403 if the person who requested the refund approves it
 */
export const decideRefund = endpoint({
  path: 'muni/decide/refund',
  summary: 'Approves or declines a refund that awaits approval',
  ...refunds,
  access: { audience: 'municipality', privilege: ['refunds', 'update'] },
  idempotent: 'offered',
  body: z.object({ companyId, refundId: rowId, event: refundStates.button, reason: z.optional(stepReason) }),
})

export const refundKinds = { refund: 'Refund', void: 'Void' } as const

/** Refund of one payment, for its slide-out. */
export const refundOfPayment = z.object({
  id: z.number(),
  kind: z.enum(['refund', 'void']),
  amountCents: cents,
  /** Number of the refunded line. Null if the refund applies to the full payment. */
  line: z.nullable(z.int()),
  status: refundStates.state,
  reason: z.string(),
  note: z.string(),
  requestedAt: z.string(),
  requestedBy: z.string(),
  decidedBy: z.string(),
  /** Actions available to the viewer. */
  can: z.object({ approve: z.boolean(), decline: z.boolean() }),
})
