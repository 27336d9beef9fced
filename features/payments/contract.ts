import * as z from 'zod/mini'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { MAX_IN_CART } from './rules.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { paymentFields } from '../../shared/payment-fields.ts'
import { cleaned } from '../../shared/typed.ts'

export const EMAIL_FOR_RECEIPT = 'Enter the email address that should get the receipt.'

/** Secret that opens a checkout. */
export const checkoutToken = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This payment link is not complete. Open it again from where you got it.'))

/** Value that names the signed-in person's own cart. */
export const OWN_CART = 'mine'

/** Target cart: the cart of a token, or the caller's own. */
export const intoCart = z.optional(z.union([z.literal(OWN_CART), checkoutToken]))

const payType = z.union([z.literal(1), z.literal(2), z.literal(3)])

/** A name of `factLabels` with its value. */
const fact = z.object({ name: z.string(), value: z.string() })

/** Order line with the parts of its amount. */
export const line = z.object({
  no: z.int(),
  title: z.string(),
  facts: z.array(fact),
  amountCents: cents,
  /** Fee that the payer pays in addition, and its program. */
  feeCents: cents,
  feeProgram: z.enum(['convenience', 'service', 'none']),
  /** True if the fee is charged separately. */
  feeApart: z.boolean(),
  items: z.array(z.object({ text: z.string(), note: z.string(), amountCents: signedCents })),
})

export const quote = z.object({ billCents: cents, feeCents: cents, absorbedFeeCents: cents, totalCents: cents })

/** Printed document: the receipt of a payment, or the acknowledgement of a pending eCheck. */
const receipt = z.object({
  number: z.string(),
  paidAt: z.string(),
  /** Remaining amount at that time. Negative for a credit, null if it is no longer known. */
  leftCents: z.nullable(signedCents),
  means: z.string(),
  email: z.string(),
  quote,
  lines: z.array(line),
  /** Total paid, without a separate fee that could not be charged. */
  paidCents: cents,
  /** Separate fee. */
  ownFee: z.nullable(z.object({ cents, status: z.enum(['waiting', 'charged', 'owed', 'waived', 'dropped']) })),
})

/**
 * State of a guest's payment. `none`: not attempted. `working`: sent, without an answer from the provider. `challenge`:
 * the bank needs the payer at `actionUrl`. `processing`: a pending eCheck (acknowledgement, not a receipt). `paid`.
 * `declined`: no money moved. `returned`: the bank returned an eCheck. `refunded`. `void`.
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

const payment = z.object({
  state: z.enum(paymentStates),
  reference: z.nullable(z.string()),
  method: z.nullable(z.int()),
  message: z.string(),
  actionUrl: z.nullable(z.string()),
  quote: z.nullable(quote),
  receipt: z.nullable(receipt),
  /** Next steps for the payer after the payment, with their pages. */
  next: z.array(z.object({ says: z.string(), label: z.string(), path: z.string() })),
})

/** A rule of `rules-fees.ts`. */
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

/** Outage shown on the checkout: its start, the second provider, and the payer's choice. */
const outageOfPage = z.object({
  /** Null if payments work. */
  since: z.nullable(z.string()),
  second: z.boolean(),
  promise: z.nullable(
    z.object({
      status: z.enum([
        'noted',
        'waiting',
        'charging',
        'reminded',
        'kept',
        'failed',
        'not_owed',
        'changed',
        'withdrawn',
      ]),
      way: z.enum(['note', 'charge', 'remind', 'autopay']),
      at: z.string(),
      means: z.string(),
      totalCents: cents,
      email: z.string(),
    }),
  ),
})

/**
 * Data of the page 'Complete Payment', and of its polling while a payment is pending. Anyone with an account number and
 * a ZIP code can call it, so it returns only data needed to pay.
 */
export const guestCheckout = endpoint({
  path: 'return/guest/checkout',
  summary: "What a guest's checkout shows: the bill, the ways to pay, and where the payment stands",
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken }),
  answer: z.object({
    /** Items in the cart, in the order of the payment's lines. */
    payables: z.array(
      z.object({
        /** Number of the item in this cart. */
        no: z.int(),
        /** Key of the item in fee rules. */
        feeKind: z.string(),
        title: z.string(),
        facts: z.array(fact),
        dueDate: z.nullable(z.string()),
        nothingYet: z.nullable(z.string()),
        /** In cents. Negative for a credit. */
        owedCents: signedCents,
        pendingCents: cents,
        /** Amount that can be paid now: the amount due less pending payments. */
        payableCents: signedCents,
        /** `payableCents` when the item was added to the cart. Null if it is unknown or unchanged. */
        beforeCents: z.nullable(signedCents),
        /** True if overpayment is allowed and becomes a credit. */
        takesCredit: z.boolean(),
        /** True if partial payment is not allowed. */
        inFull: z.boolean(),
        /** Reason why it can no longer be paid. Null if it can. */
        closed: z.nullable(z.string()),
        /** Remaining seconds of the payer's hold. Null if the item needs no hold. */
        heldSeconds: z.nullable(z.int()),
        /** Next installment of its payment arrangement, only for its owner. */
        installment: z.nullable(z.object({ cents, on: z.string() })),
        /** Next AutoPay charge, for its payer only. `on` is null if no bill has a charge yet. */
        autopay: z.nullable(z.object({ cents, on: z.nullable(z.string()) })),
      }),
    ),
    /** Amount that can be paid now for all items: amounts due less pending payments. */
    payableCents: signedCents,
    limits: z.object({ minCents: cents, maxCents: cents }),
    /** Fee rules by item and payment method, valid for the date `on` only. */
    fees: z.object({ on: z.string(), location: z.union([z.literal(1), z.literal(4)]), rules: z.array(feeRule) }),
    gateway: paymentFields,
    /** Saved payment methods of the signed-in person, with the authorization text for new ones. */
    kept: z.array(
      z.object({
        id: z.number(),
        method: z.union([z.literal(1), z.literal(2)]),
        means: z.string(),
        bankName: z.string(),
        expiresOn: z.nullable(z.string()),
        isGood: z.boolean(),
      }),
    ),
    outage: outageOfPage,
    payment,
  }),
})

export const emailForm = z
  .string()
  .check(
    cleaned(),
    z.minLength(1, EMAIL_FOR_RECEIPT),
    z.maxLength(254, EMAIL_FOR_RECEIPT),
    z.regex(
      /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u,
      'That does not look like an email address. Check it for typing mistakes.',
    ),
  )

/**
 * Charges a guest's payment exactly once per Idempotency-Key. Either `methodToken` (from the provider's hosted fields)
 * or `storedMethodId` (the payer's own) is set. `expectedTotalCents` is the amount on the screen. If the bill has
 * changed since, nothing is charged (409 amount_changed).
 */
export const payGuestBill = endpoint({
  path: 'pay/guest/bill',
  summary: "Pays a guest's bill",
  access: { audience: 'public' },
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.object({
    token: checkoutToken,
    payType,
    method: z.union([z.literal(1), z.literal(2)]),
    billCents: cents,
    /** Amount of each line in a cart with several items. Without it, `billCents` fills the lines in order. */
    lines: z.optional(
      z.array(z.object({ no: z.int(), payType, billCents: cents })).check(z.minLength(1), z.maxLength(MAX_IN_CART)),
    ),
    expectedTotalCents: cents,
    email: emailForm,
    /** Token of the hosted fields, or one of the payer's saved methods. */
    methodToken: z.optional(
      z.string().check(z.regex(/^(tok|pm)_[\w-]{8,80}$/, 'The card or bank details did not arrive. Enter them again.')),
    ),
    storedMethodId: z.optional(rowId),
  }),
  answer: payment,
})

export const ALREADY_PAID = 'This was already paid. Nothing was charged a second time.'

const cartCount = z.object({
  /** Number of items that can still be paid. */
  count: z.int(),
})

/** Cart for the page header. A guest has only the cart of the current tab. */
export const myCart = endpoint({
  path: 'return/cart',
  summary: 'How much is in the open cart of whoever is signed in',
  access: { audience: 'public' },
  body: z.object({}),
  answer: cartCount,
})

export const openCart = endpoint({
  path: 'open/cart',
  summary: 'Opens the page of the open cart of whoever is signed in; null where nothing is in it',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({}),
  answer: z.object({ token: z.nullable(z.string()) }),
})

/** Moves the tab's cart into the person's own cart after sign-in. */
export const saveCart = endpoint({
  path: 'save/cart',
  summary: "Puts what is in a guest's open checkout into the cart of whoever is signed in",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({ token: checkoutToken }),
  answer: cartCount,
})

export const cartChoices = endpoint({
  path: 'return/cart/choices',
  summary:
    'What else can be paid with a checkout: screens that find it, and what is known to be the own of whoever is signed in',
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken }),
  answer: z.object({
    ways: z.array(z.object({ path: z.string(), title: z.string(), note: z.string() })),
    own: z.array(
      z.object({
        kind: z.string(),
        id: z.number(),
        title: z.string(),
        facts: z.array(fact),
        dueDate: z.nullable(z.string()),
        owedCents: cents,
      }),
    ),
  }),
})

/** Adds only the caller's own items. Other items must be searched first. */
export const addToCart = endpoint({
  path: 'add/to/cart',
  summary: 'Puts something that is known to be their own into the cart of whoever is signed in',
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: z.object({
    token: checkoutToken,
    kind: z.string().check(z.regex(/^[a-z_]{2,30}$/, 'Choose what to add.')),
    id: rowId,
  }),
  answer: z.object({ token: z.string() }),
})

/** Removes an item from the cart. */
export const removeFromCart = endpoint({
  path: 'remove/from/cart',
  summary: 'Takes one thing out of the cart of a checkout that is not paid yet',
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken, no: z.int() }),
  answer: z.object({ success: z.literal(true) }),
})

/** Cancels a payment that awaits a bank challenge, so that the payer can use another card. It may already be paid. */
export const dropGuestPayment = endpoint({
  path: 'drop/guest/payment',
  summary: "Gives up a guest's payment that waits for their bank",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({ token: checkoutToken }),
  answer: z.object({ success: z.literal(true) }),
})

/** Receipt of a payment as PDF, for staff: the whole payment or one line. */
export const paymentReceipt = downloadCall({
  path: 'muni/print/payment/receipt',
  summary: 'The receipt of a successful payment as PDF',
  access: { audience: ['municipality', 'platform'], privilege: ['transaction_management', 'view'] },
  /** `roll`: true for receipt printer paper of 80 mm width. */
  body: z.object({
    companyId,
    paymentId: z.int(),
    paper: z._default(z.enum(['letter', 'roll']), 'letter'),
    line: z.optional(z.int()),
  }),
})

/** Stream of the company's new payments, for open screens. */
export const paymentEvents = endpoint({
  path: 'muni/live/payments',
  method: 'GET',
  summary: 'A stream of events: a payment came or changed',
  access: { audience: ['municipality'], privilege: ['transaction_management', 'view'] },
  answers: 'events',
  body: z.object({}),
  answer: z.object({ topic: z.string(), id: z.number() }),
})

/** $5.00, the amount of the provider's test card or bank account. */
export const TEST_CHARGE_CENTS = 500

/**
 * Tests the company's provider with a charge of $5.00 while no real money moves. The charge is confirmed and
 * immediately refunded. It creates no order, so no ledger or report includes it. The onboarding stores the result.
 */
export const testCharge = endpoint({
  path: 'test/payment',
  summary: 'Charges the provider’s test card $5.00 and gives it back, outside of the ledger',
  access: { audience: 'municipality', privilege: ['transaction_management', 'create'] },
  whileImpersonating: 'refused',
  body: z.object({ companyId }),
  answer: z.object({
    success: z.boolean(),
    message: z.string(),
    steps: z.array(
      z.object({
        what: z.enum(['account', 'card', 'create', 'confirm', 'refund', 'check']),
        passed: z.boolean(),
        /** Result: an id, a state, or the reason of the failure. */
        said: z.string(),
        milliseconds: z.int(),
      }),
    ),
  }),
})
