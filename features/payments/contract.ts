import * as z from 'zod/mini'
import { cents, signedCents } from '../../shared/money.ts'
import { MAX_IN_CART } from './rules.ts'
import { rowId } from '../../shared/body-parts.ts'
import { cleaned } from '../../shared/typed.ts'

export const EMAIL_FOR_RECEIPT = 'Enter the email address for the receipt.'

/** Secret token that opens a checkout. */
export const checkoutToken = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This payment link is incomplete. Open the full link again.'))

/** Value that selects the signed-in person's own cart. */
export const OWN_CART = 'mine'

/** Target cart: the caller's own cart, or the cart with this token. */
export const intoCart = z.optional(z.union([z.literal(OWN_CART), checkoutToken]))

const payType = z.union([z.literal(1), z.literal(2), z.literal(3)])

/** Name and value of a detail. `name` is a key of `factLabels`. */
export const fact = z.object({ name: z.string(), value: z.string() })

/** Order line with the parts of its amount. */
export const line = z.object({
  no: z.int(),
  title: z.string(),
  details: z.array(fact),
  amountCents: cents,
  /** Fee that the payer pays in addition to the amount, and the fee program. */
  feeCents: cents,
  feeProgram: z.enum(['convenience', 'service', 'none']),
  /** True if the fee is charged separately. */
  hasSeparateFee: z.boolean(),
  items: z.array(z.object({ text: z.string(), note: z.string(), amountCents: signedCents })),
})

export const quote = z.object({ billCents: cents, feeCents: cents, absorbedFeeCents: cents, totalCents: cents })

/** Printed document: the receipt of a payment, or the acknowledgement of a pending eCheck. */
const receipt = z.object({
  number: z.string(),
  paidAt: z.string(),
  /** Amount still due after the payment. Negative for a credit. Null if it is no longer known. */
  leftCents: z.nullable(signedCents),
  methodLabel: z.string(),
  email: z.string(),
  quote,
  lines: z.array(line),
  /** Total amount paid. Excludes a separate fee that could not be charged. */
  paidCents: cents,
  /** Separate fee with its status. Null if the payment has none. */
  separateFee: z.nullable(z.object({ cents, status: z.enum(['waiting', 'charged', 'owed', 'waived', 'dropped']) })),
})

/**
 * State of a guest's payment. `none`: not attempted. `working`: sent, but the provider has not responded yet.
 * `challenge`: the payer must authenticate at `actionUrl`. `processing`: a pending eCheck (acknowledgement, not a
 * receipt). `paid`. `declined`: no money moved. `returned`: the bank returned an eCheck. `refunded`. `void`.
 */
export const paymentStates = [
  'none',
  'working',
  'challenge',
  'processing',
  'paid',
  'declined',
  'returned',
  'refunded',
  'void',
] as const
export type PaymentState = (typeof paymentStates)[number]

export const payment = z.object({
  state: z.enum(paymentStates),
  reference: z.nullable(z.string()),
  method: z.nullable(z.int()),
  message: z.string(),
  actionUrl: z.nullable(z.string()),
  quote: z.nullable(quote),
  receipt: z.nullable(receipt),
  /** Next steps for the payer after the payment, with links. */
  next: z.array(z.object({ text: z.string(), label: z.string(), path: z.string() })),
})

export type PaymentResponse = z.output<typeof payment>

/** Fee rule, as `rules-fees.ts` defines it. */
export const feeRule = z.object({
  kind: z.nullable(z.string()),
  method: z.union([z.literal(1), z.literal(2)]),
  channel: z.nullable(z.enum(['online', 'phone', 'autopay', 'office'])),
  brand: z.nullable(z.enum(['visa', 'mastercard', 'amex', 'discover'])),
  funding: z.nullable(z.enum(['credit', 'debit'])),
  program: z.enum(['convenience', 'service', 'none']),
  mode: z.enum(['single', 'two_transactions']),
  absorb: z.union([z.literal(0), z.literal(1)]),
  bps: z.int(),
  fixedCents: cents,
  minCents: cents,
  maxCents: cents,
  recovers: z.boolean(),
  validFrom: z.string(),
  ends: z.boolean(),
})

export const emailForm = z
  .string()
  .check(
    cleaned(),
    z.minLength(1, EMAIL_FOR_RECEIPT),
    z.maxLength(254, EMAIL_FOR_RECEIPT),
    z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u, 'Enter an email address, such as name@example.com.'),
  )

/** Request body of a payment. Payers who defer a payment during an outage send the same body. */
export const paymentBody = z.object({
  token: checkoutToken,
  payType,
  method: z.union([z.literal(1), z.literal(2)]),
  billCents: cents,
  /**
   * Amount of each line, for a payment with several lines. If missing, `billCents` is distributed over the lines in
   * order.
   */
  lines: z.optional(
    z.array(z.object({ no: z.int(), payType, billCents: cents })).check(z.minLength(1), z.maxLength(MAX_IN_CART)),
  ),
  expectedTotalCents: cents,
  email: emailForm,
  /** Payment method: a token from the hosted fields, or the id of one of the payer's saved methods. */
  methodToken: z.optional(
    z
      .string()
      .check(z.regex(/^(tok|pm)_[\w-]{8,80}$/, 'We did not receive the card or bank details. Enter them again.')),
  ),
  storedMethodId: z.optional(rowId),
})

export type PaymentBody = z.output<typeof paymentBody>

export const ALREADY_PAID = 'This payment was already made. You were not charged twice.'
