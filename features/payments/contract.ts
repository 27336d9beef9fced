import * as z from 'zod/mini'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { MAX_IN_CART } from './rules.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { paymentFields } from '../../shared/payment-fields.ts'
import { cleaned } from '../../shared/typed.ts'

export const EMAIL_FOR_RECEIPT = 'Enter the email address that should get the receipt.'

/** What opens a checkout's page. */
export const checkoutToken = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This payment link is not complete. Open it again from where you got it.'))

/** The own cart of whoever is signed in, where a cart is named. */
export const MINE = 'mine'

/** The cart that something is put into: one that a token opens, or one's own. */
export const intoCart = z.optional(z.union([z.literal(MINE), checkoutToken]))

const payType = z.union([z.literal(1), z.literal(2), z.literal(3)])

/** A name of `factLabels`, and what it is here. */
const fact = z.object({ name: z.string(), value: z.string() })

/** One thing that a payment pays, with what its amount is made of. */
export const line = z.object({
  no: z.int(),
  title: z.string(),
  facts: z.array(fact),
  amountCents: cents,
  /** What the payer pays on top of it, and what that is called. */
  feeCents: cents,
  feeProgram: z.enum(['convenience', 'service', 'none']),
  /** Whether it is a charge of its own. */
  feeApart: z.boolean(),
  items: z.array(z.object({ text: z.string(), note: z.string(), amountCents: signedCents })),
})

export const quote = z.object({ billCents: cents, feeCents: cents, absorbedFeeCents: cents, totalCents: cents })

/** What is printed: the receipt of what is paid, and the acknowledgement of an eCheck that is on its way. */
const receipt = z.object({
  number: z.string(),
  paidAt: z.string(),
  /** What was left to pay then; negative is a credit, null where it is not known any more. */
  leftCents: z.nullable(signedCents),
  means: z.string(),
  email: z.string(),
  quote,
  lines: z.array(line),
  /** What was paid in all: without a fee that is a charge of its own and could not be charged. */
  paidCents: cents,
  /** Such a fee. */
  ownFee: z.nullable(z.object({ cents, status: z.enum(['waiting', 'charged', 'owed', 'waived', 'dropped']) })),
})

/**
 * Where a guest's payment stands. `none`: nothing was tried yet; `working`: sent, the provider has not said yet;
 * `challenge`: the bank wants to see the payer, at `actionUrl`; `processing`: an eCheck on its way (an acknowledgement,
 * not a receipt); `paid`; `declined`: no money moved; `returned`: the bank took an eCheck back; `refunded`; `void`.
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
  /** What the payer has by what they paid, and where they see it. */
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

/** What a page says of an outage: since when, whether a second provider takes the payment, and what its payer asked for. */
const outageOfPage = z.object({
  /** Null: payments work. */
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
 * Everything that the page 'Complete Payment' shows; also its poll while a payment is under way. Of what is paid it is
 * what somebody needs who wants to pay it, and no more: whoever has an account number and a ZIP code gets here.
 */
export const guestCheckout = endpoint({
  path: 'return/guest/checkout',
  summary: "What a guest's checkout shows: the bill, the ways to pay, and where the payment stands",
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken }),
  answer: z.object({
    /** What is in the cart, in the order of the lines of its payment. */
    payables: z.array(
      z.object({
        /** Its number in this cart. */
        no: z.int(),
        /** What fee rules call it. */
        feeKind: z.string(),
        title: z.string(),
        facts: z.array(fact),
        dueDate: z.nullable(z.string()),
        nothingYet: z.nullable(z.string()),
        /** Negative is a credit. */
        owedCents: signedCents,
        pendingCents: cents,
        /** What can be paid of it now: what is owed, less what payments that are under way will take off. */
        payableCents: signedCents,
        /** The same when it was put into the cart, where that is known and was another amount. */
        beforeCents: z.nullable(signedCents),
        /** More than is owed may be paid, and stays as a credit. */
        takesCredit: z.boolean(),
        /** It is paid whole or not at all. */
        inFull: z.boolean(),
        /** Why it may not be paid any more. */
        closed: z.nullable(z.string()),
        /** For so many seconds it is still held for whoever pays; null of what nobody else can take. */
        heldSeconds: z.nullable(z.int()),
        /** What is to be paid next of the payment arrangement on it, for whoever is known to be its own. */
        installment: z.nullable(z.object({ cents, on: z.string() })),
        /** What AutoPay charges next, for its payer only. `on` is null if no bill has a charge yet. */
        autopay: z.nullable(z.object({ cents, on: z.nullable(z.string()) })),
      }),
    ),
    /** What can be paid now of all of them: what is owed, less what payments that are under way will take off. */
    payableCents: signedCents,
    limits: z.object({ minCents: cents, maxCents: cents }),
    /** What it costs on top, by what is paid and how, of today alone. */
    fees: z.object({ on: z.string(), location: z.union([z.literal(1), z.literal(4)]), rules: z.array(feeRule) }),
    gateway: paymentFields,
    /** Of whoever is signed in: what the provider keeps for them, and what they agree to who have more kept. */
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
 * Charges a guest's payment, exactly once for an Idempotency-Key. `methodToken` comes from the gateway's hosted fields,
 * `storedMethodId` is one's own: one of them is given;
 * `expectedTotalCents` is what the screen showed: when the bill changed meanwhile nothing is charged (409 amount_changed).
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
    /** Of a cart with several things: how much of each. Left out, `billCents` fills them in their order. */
    lines: z.optional(
      z.array(z.object({ no: z.int(), payType, billCents: cents })).check(z.minLength(1), z.maxLength(MAX_IN_CART)),
    ),
    expectedTotalCents: cents,
    email: emailForm,
    /** What the hosted fields became; or one of the payer's own methods that the provider keeps. */
    methodToken: z.optional(
      z.string().check(z.regex(/^(tok|pm)_[\w-]{8,80}$/, 'The card or bank details did not arrive. Enter them again.')),
    ),
    storedMethodId: z.optional(rowId),
  }),
  answer: payment,
})

export const ALREADY_PAID = 'This was already paid. Nothing was charged a second time.'

const cartCount = z.object({
  /** How many things in it can be paid still. */
  count: z.int(),
})

/** For the header. A guest has no cart but that of their tab. */
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

/** After signing in. What was found before, in the same tab, goes into the person's own cart. */
export const keepCart = endpoint({
  path: 'keep/cart',
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

/** Of one's own things alone: whatever else there is has to be found first. */
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

/** Takes something out of the cart again. */
export const removeFromCart = endpoint({
  path: 'remove/from/cart',
  summary: 'Takes one thing out of the cart of a checkout that is not paid yet',
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken, no: z.int() }),
  answer: z.object({ success: z.literal(true) }),
})

/** Gives a payment up that waits for the payer at their bank, so that another card can be used. It may be paid by then. */
export const dropGuestPayment = endpoint({
  path: 'drop/guest/payment',
  summary: "Gives up a guest's payment that waits for their bank",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({ token: checkoutToken }),
  answer: z.object({ success: z.literal(true) }),
})

/** The receipt of a payment as PDF, for the clerk: of all of it, or of one of its lines. */
export const paymentReceipt = downloadCall({
  path: 'muni/print/payment/receipt',
  summary: 'The receipt of a successful payment as PDF',
  access: { audience: ['municipality', 'platform'], privilege: ['transaction_management', 'view'] },
  /** `roll`: 80 mm wide, as receipt printers have it. */
  body: z.object({
    companyId,
    paymentId: z.int(),
    paper: z._default(z.enum(['letter', 'roll']), 'letter'),
    line: z.optional(z.int()),
  }),
})

/** New payments of the town as they come, for screens that are open. */
export const paymentEvents = endpoint({
  path: 'muni/live/payments',
  method: 'GET',
  summary: 'A stream of events: a payment came or changed',
  access: { audience: ['municipality'], privilege: ['transaction_management', 'view'] },
  answers: 'events',
  body: z.object({}),
  answer: z.object({ topic: z.string(), id: z.number() }),
})

/** $5.00, as a provider's own test card or bank account pays them. */
export const TEST_CHARGE_CENTS = 500

/**
 * Tries the town's provider while no money moves there: a charge of $5.00, confirmed and given back at once. It is no order, so
 * it stands in no ledger and no report; how it ended is kept with the town's onboarding.
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
        /** What came of it: an id, a state, or why it failed. */
        said: z.string(),
        milliseconds: z.int(),
      }),
    ),
  }),
})
