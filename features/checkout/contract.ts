import * as z from 'zod/mini'
import { rowId } from '../../shared/body-parts.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { paymentFields } from '../../shared/payment-fields.ts'
import { checkoutOutage } from '../outages/contract.ts'
import { checkoutToken, fact, feeRule, payment, paymentBody } from '../payments/contract.ts'

/**
 * Returns the data of the 'Complete Payment' page. While a payment is pending, the page polls this call. Anyone with an
 * account number and a ZIP code can make this call, so it returns only the data needed to pay.
 */
export const guestCheckout = endpoint({
  path: 'return/guest/checkout',
  summary: 'Returns a guest checkout with its items and payment status',
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken }),
  response: z.object({
    /** Items in the cart, in the order of the payment's lines. */
    payables: z.array(
      z.object({
        /** Number of the item in this cart. */
        no: z.int(),
        /** Key by which fee rules refer to the item. */
        feeKind: z.string(),
        title: z.string(),
        details: z.array(fact),
        dueDate: z.nullable(z.string()),
        nothingYet: z.nullable(z.string()),
        /** Amount due in cents. Negative for a credit. */
        owedCents: signedCents,
        pendingCents: cents,
        /** Amount that can be paid now: the amount due less pending payments. */
        payableCents: signedCents,
        /**
         * Value of `payableCents` when the item was added to the cart. Null if this value is unknown or has not changed
         * since.
         */
        beforeCents: z.nullable(signedCents),
        /** True if the payer may pay more than the amount due. The excess becomes a credit. */
        takesCredit: z.boolean(),
        /** True if partial payment is not allowed. */
        inFull: z.boolean(),
        /** Reason why the item can no longer be paid. Null if it can be paid. */
        closed: z.nullable(z.string()),
        /** Remaining seconds for which the item is held for the payer. Null if the item needs no hold. */
        heldSeconds: z.nullable(z.int()),
        /** Next installment of the item's payment arrangement. Only the owner of the arrangement receives it. */
        installment: z.nullable(z.object({ cents, on: z.string() })),
        /** Next AutoPay charge. Only its payer receives it. `on` is null if no bill has a charge yet. */
        autopay: z.nullable(z.object({ cents, on: z.nullable(z.string()) })),
      }),
    ),
    /** Total amount that can be paid now: the amounts due less pending payments. */
    payableCents: signedCents,
    limits: z.object({ minCents: cents, maxCents: cents }),
    /** Fee rules by item and payment method. They are valid only on the date `on`. */
    fees: z.object({ on: z.string(), location: z.union([z.literal(1), z.literal(4)]), rules: z.array(feeRule) }),
    gateway: paymentFields,
    /** Saved payment methods of the signed-in person. */
    storedMethods: z.array(
      z.object({
        id: z.number(),
        method: z.union([z.literal(1), z.literal(2)]),
        methodLabel: z.string(),
        bankName: z.string(),
        expiresOn: z.nullable(z.string()),
        isGood: z.boolean(),
      }),
    ),
    outage: checkoutOutage,
    payment,
  }),
})

/**
 * Charges a guest's payment exactly once per Idempotency-Key. The request has either `methodToken` (from the provider's
 * hosted fields) or `storedMethodId` (one of the payer's saved methods). `expectedTotalCents` is the total that the
 * payer saw. If the bill has changed since, the call charges nothing (409 amount_changed).
 */
export const payGuestBill = endpoint({
  path: 'pay/guest/bill',
  inPreview: 'pay',
  summary: 'Charges the payment of a guest checkout',
  access: { audience: 'public' },
  idempotent: true,
  whileImpersonating: 'refused',
  body: paymentBody,
  response: payment,
})

const cartCount = z.object({
  /** Number of items that can still be paid. */
  count: z.int(),
})

/**
 * Returns the number of items in the signed-in person's cart, for the page header. A guest has a cart only in the
 * current tab.
 */
export const myCart = endpoint({
  path: 'return/cart',
  summary: "Returns the number of items in the caller's open cart",
  access: { audience: 'public' },
  body: z.object({}),
  response: cartCount,
})

export const openCart = endpoint({
  path: 'open/cart',
  summary: "Returns the token of the caller's open cart, if any",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({}),
  response: z.object({ token: z.nullable(z.string()) }),
})

/** Moves the tab's cart into the person's own cart after sign-in. */
export const saveCart = endpoint({
  path: 'save/cart',
  summary: "Moves the items of a guest checkout into the caller's cart",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({ token: checkoutToken }),
  response: cartCount,
})

export const cartChoices = endpoint({
  path: 'return/cart/choices',
  summary: "Returns the caller's own items and search pages for a checkout",
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken }),
  response: z.object({
    paths: z.array(z.object({ path: z.string(), title: z.string(), note: z.string() })),
    own: z.array(
      z.object({
        kind: z.string(),
        id: z.number(),
        title: z.string(),
        details: z.array(fact),
        dueDate: z.nullable(z.string()),
        owedCents: cents,
      }),
    ),
  }),
})

/**
 * Adds one of the caller's own items to the cart. To add any other item, the payer must first find it with a search.
 */
export const addToCart = endpoint({
  path: 'add/to/cart',
  summary: "Adds one of the caller's own items to the cart",
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: z.object({
    token: checkoutToken,
    kind: z.string().check(z.regex(/^[a-z_]{2,30}$/, 'Choose an item to add.')),
    id: rowId,
  }),
  response: z.object({ token: z.string() }),
})

/** Removes an item from the cart. */
export const removeFromCart = endpoint({
  path: 'remove/from/cart',
  inPreview: true,
  summary: 'Removes an item from the cart of an unpaid checkout',
  access: { audience: 'public' },
  body: z.object({ token: checkoutToken, no: z.int() }),
  response: z.object({ success: z.literal(true) }),
})

/**
 * Cancels a payment that awaits a bank challenge, so that the payer can use another card. The payment may already have
 * succeeded.
 */
export const dropGuestPayment = endpoint({
  path: 'drop/guest/payment',
  summary: "Cancels a guest payment that awaits the payer's bank",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({ token: checkoutToken }),
  response: z.object({ success: z.literal(true) }),
})
