/** Calls for refunds and disputes, separate from the code that checkouts load. */
import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents } from '../../shared/money.ts'
import { refundStates } from './states.ts'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'

const mayGiveBack: Access = { audience: 'municipality', privilege: ['transaction_management', 'update'] }

const refundAnswer = z.object({ success: z.literal(true), message: z.string(), status: refundStates.state })
/** Common options of these calls. */
const givesBack = { access: mayGiveBack, whileImpersonating: 'refused', answer: refundAnswer } as const

/** Form of the screen, with the amount as typed. */
export const refundForm = z.object({
  amountCents: cents.check(z.minimum(1, 'Enter an amount, such as 25.00.')),
  /** Number of the refunded line item. Null if the payment has one, or if all of the payment is refunded. */
  line: z._default(z.nullable(z.int().check(z.minimum(1))), null),
  reason: stepReason,
})
export const voidForm = z.object({ reason: stepReason })
/** `leftCents` of the payment's details that the person saw. 409 `seen_otherwise` if it differs now. */
const leftSeen = basis

/** Refunds a payment in part or in full. Above the company's limit, it awaits approval. */
export const refundPayment = endpoint({
  path: 'muni/refund/payment',
  summary: 'Gives back all or a part of a payment',
  ...givesBack,
  idempotent: true,
  body: z.extend(refundForm, { companyId, paymentId: rowId, basis: leftSeen }),
})

/** Voids a whole payment before settlement, as if it never happened. */
export const voidPayment = endpoint({
  path: 'muni/void/payment',
  summary: 'Voids a payment before it is settled',
  ...givesBack,
  idempotent: true,
  body: z.extend(voidForm, { companyId, paymentId: rowId, basis: leftSeen }),
})

/** Sends the payer's bank the reasons why a disputed payment is correct. @throws 409 if no dispute can be answered */
export const answerDispute = endpoint({
  path: 'muni/answer/dispute',
  summary: 'Sends what the municipality has to say against a dispute',
  access: mayGiveBack,
  whileImpersonating: 'refused',
  idempotent: true,
  body: z.extend(voidForm, { companyId, paymentId: rowId }),
  answer: done,
})

/**
 * Charges an owed fee to the payment method of its bill. If it is refused again, the fee stays owed and the message
 * says that.
 */
export const chargeFeeAgain = endpoint({
  path: 'muni/charge/fee',
  summary: 'Charges a fee of its own again that could not be charged',
  access: mayGiveBack,
  whileImpersonating: 'refused',
  idempotent: true,
  body: z.object({ companyId, paymentId: rowId }),
  answer: done,
})

export const waiveFee = endpoint({
  path: 'muni/waive/fee',
  summary: 'Waives a fee of its own that could not be charged',
  access: mayGiveBack,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.extend(voidForm, { companyId, paymentId: rowId }),
  answer: done,
})

/** Approves or declines a refund. @throws 403 for the person who requested it */
export const decideRefund = endpoint({
  path: 'muni/decide/refund',
  summary: 'Approves or declines a refund that waits for a second person',
  ...givesBack,
  idempotent: 'offered',
  body: z.object({ companyId, refundId: rowId, event: refundStates.button, reason: z.optional(stepReason) }),
})

export const refundKinds = { refund: 'Refund', void: 'Void' } as const

/** Refund of one payment, for its slide-out. */
export const refundOfPayment = z.object({
  id: z.number(),
  kind: z.enum(['refund', 'void']),
  amountCents: cents,
  /** Named line. */
  line: z.nullable(z.int()),
  status: refundStates.state,
  reason: z.string(),
  note: z.string(),
  askedAt: z.string(),
  askedBy: z.string(),
  decidedBy: z.string(),
  /** Actions of the reader. */
  can: z.object({ approve: z.boolean(), decline: z.boolean() }),
})

/** Accounts of each company's ledger. */
export const ledgerAccounts = {
  gateway_clearing: { name: 'Gateway clearing', kind: 'asset' },
  deposits_in_transit: { name: 'Deposits in transit', kind: 'asset' },
  bank: { name: 'Bank', kind: 'asset' },
  office_cash: { name: 'Office cash', kind: 'asset' },
  returns_receivable: { name: 'Returns receivable', kind: 'asset' },
  dispute_reserve: { name: 'Dispute reserve', kind: 'asset' },
  payable_municipality: { name: 'Payable to the municipality', kind: 'liability' },
  fee_revenue: { name: 'Fee revenue', kind: 'revenue' },
  provider_cost: { name: 'Provider cost', kind: 'expense' },
  absorbed_fee: { name: 'Absorbed-fee expense', kind: 'expense' },
  cash_over_short: { name: 'Cash over and short', kind: 'expense' },
  bank_fees: { name: 'Bank fees', kind: 'expense' },
  bank_differences: { name: 'Bank differences', kind: 'expense' },
} as const
export type LedgerAccount = keyof typeof ledgerAccounts

/** Amounts that the municipality's own bank deducts. They are not a cost of the portal's provider. */
export const companyAccounts: ReadonlySet<string> = new Set<LedgerAccount>(['bank_fees', 'bank_differences'])

/** Reasons of declined charges, in plain words. */
export const declineReasons = {
  declined: 'The bank declined it',
  funds: 'Not enough money',
  expired: 'The card has expired',
  details: 'Number or security code wrong',
  unconfirmed: 'The payer did not confirm it',
  stolen: 'Lost, stolen or suspicious card',
  unreachable: 'The bank could not be reached',
  other: 'Another reason',
} as const
export type DeclineReason = keyof typeof declineReasons

/** Provider codes of each reason. Every other code is `other`. */
export const declineCodes: Readonly<Record<Exclude<DeclineReason, 'other'>, readonly string[]>> = {
  declined: ['card_declined', 'generic_decline', 'do_not_honor', 'call_issuer', 'transaction_not_allowed'],
  funds: ['insufficient_funds', 'withdrawal_count_limit_exceeded', 'card_velocity_exceeded'],
  expired: ['expired_card'],
  details: ['incorrect_cvc', 'invalid_cvc', 'incorrect_number', 'incorrect_zip', 'invalid_token'],
  unconfirmed: ['authentication_failed', 'authentication_required'],
  stolen: ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent'],
  unreachable: ['processing_error', 'issuer_not_available', 'try_again_later'],
}

/** The bank refused to debit the account: a returned eCheck with a return code. */
export const REFUSED_BY_BANK = 'bank_account_unusable'

/** Groups with NACHA limits. `other` counts only in the overall rate. */
export type ReturnGroup = 'unauthorized' | 'administrative' | 'other'

/** NACHA codes of returned eChecks. */
export const returnCodes = {
  R01: { label: 'Not enough money', group: 'other' },
  R02: { label: 'Account closed', group: 'administrative' },
  R03: { label: 'No such account', group: 'administrative' },
  R04: { label: 'Account number not valid', group: 'administrative' },
  R05: { label: 'Not authorized (a consumer’s account)', group: 'unauthorized' },
  R07: { label: 'Authorization withdrawn', group: 'unauthorized' },
  R08: { label: 'Payment stopped', group: 'other' },
  R09: { label: 'Money not available yet', group: 'other' },
  R10: { label: 'Not authorized', group: 'unauthorized' },
  R11: { label: 'Not as it was authorized', group: 'unauthorized' },
  R16: { label: 'Account frozen', group: 'other' },
  R20: { label: 'Account takes no debits', group: 'other' },
  R29: { label: 'Not authorized (a company’s account)', group: 'unauthorized' },
} as const satisfies Record<string, { label: string; group: ReturnGroup }>
export type ReturnCode = keyof typeof returnCodes

/** Results of disputes. */
export const disputeLabels = { open: 'Open', won: 'Won', lost: 'Lost' } as const
export type DisputeState = keyof typeof disputeLabels
