import * as z from 'zod/mini'
import { emailForm } from '../../payments/contract.ts'
import {
  addQuotes,
  type CartLine,
  type Limits,
  type Method,
  methods,
  type PayType,
  payTypeOf,
  payTypes,
  type Quote,
  amountRefusal,
  cartRefusal,
  lineRefusal,
} from '../../payments/rules.ts'
import {
  type Brand,
  brandOfLabel,
  type FeeTerms,
  feeTermsFor,
  type Funding,
  quoteBy,
} from '../../payments/rules-fees.ts'
import type { Checkout } from './checkout.ts'

/** Choices of the payer in the payment form. */
export interface PaymentRequest {
  payType: PayType
  /** Partial or other amount, in whole cents. Null while the typed text is not an amount. */
  amountCents: number | null
  /** Typed amounts of a cart with several items, by `amountName`. An item without a typed amount is paid in full. */
  amounts: Record<string, number | null | undefined>
  /** Id of a saved payment method, or `NEW_METHOD` for a method that the payer enters. */
  storedMethodId: number
  /** True if the payer agreed to save the entered method for later payments. */
  keep: boolean
  method: Method
  email: string
}

type RequestedAmount = Pick<PaymentRequest, 'payType' | 'amountCents'>
type RequestedAmounts = Pick<PaymentRequest, 'payType' | 'amountCents' | 'amounts'>

/** Value of `storedMethodId` for an entered method. No saved method has this id. */
export const NEW_METHOD = 0

/** Returns the default method: the first saved method that can be charged, or a new method. */
export const defaultMethodId = (storedMethods: Checkout['storedMethods']): number =>
  storedMethods.find(({ isGood }) => isGood)?.id ?? NEW_METHOD

/** Field name of an item's amount. It has a letter prefix, so that forms do not treat it as an array index. */
export const amountName = (no: number): string => `line${no}`

/** Returns the cents applied to the bill: the full payable amount or the typed amount. */
export const billCentsOf = (request: RequestedAmount, payableCents: number): number | null =>
  request.payType === payTypes.full ? payableCents : request.amountCents

/** Returns the error message for the chosen amount, or null. The server applies the same rule. */
export const refusalOf = (request: RequestedAmount, payableCents: number, limits: Limits): string | null =>
  amountRefusal(request.payType, billCentsOf(request, payableCents), payableCents, limits)

export type Cart = Pick<Checkout, 'payables' | 'payableCents' | 'limits'>

type Fees = Checkout['fees']

/** Cart item with its amount to pay. An item with amount 0 is not part of the payment. */
export type RequestedLine = CartLine & { no: number; feeKind: string }

/**
 * Lists the amount of each item. A single item uses the chosen amount. Several items each use their typed amount or
 * their full amount due.
 */
export function requestedLines({ payables, payableCents }: Cart, request: RequestedAmounts): RequestedLine[] {
  return payables.map(({ no, feeKind, payableCents: owedCents, takesCredit, inFull }) => {
    const line = { no, feeKind, owedCents, takesCredit, inFull }
    if (payables.length === 1)
      return { ...line, payType: request.payType, billCents: billCentsOf(request, payableCents) }
    const typed = request.amounts[amountName(no)]
    const billCents = typed === undefined ? Math.max(owedCents, 0) : typed
    return { ...line, payType: payTypeOf(billCents ?? 0, owedCents), billCents }
  })
}

/**
 * Returns the error message for the whole cart, or null. If the cart has several items, `lineRefusal` finds the errors
 * of each item.
 */
export const refusalOfCart = (cart: Cart, lines: readonly RequestedLine[], request: PaymentRequest): string | null =>
  cart.payables.length === 1 ? refusalOf(request, cart.payableCents, cart.limits) : cartRefusal(lines, cart.limits)

/** Payment method with the card details, as far as known. */
export interface PagePaysBy {
  method: Method
  brand: Brand | null
  funding: Funding | null
}

/** Card with no known details. */
export const ANY_CARD = { brand: null, funding: null } as const

/** Reads the card details of a saved method from its label. */
export const storedCard = (methodLabel: string): Omit<PagePaysBy, 'method'> => ({
  brand: brandOfLabel(methodLabel),
  funding: null,
})

/** Returns the fee terms of a line for the current choices. */
export const termsOfLine = ({ on, location, rules }: Fees, by: PagePaysBy, kind: string): FeeTerms =>
  feeTermsFor(rules, { ...by, on, kind, location })

/** Returns the quote for the lines, each with its fee. Null while a line has no amount. */
export function quoteOfRequest(fees: Fees, by: PagePaysBy, lines: readonly RequestedLine[]): Quote | null {
  if (lines.some(({ billCents }) => billCents === null)) return null
  return addQuotes(
    lines.flatMap(({ feeKind, billCents }) => (billCents ? quoteBy(termsOfLine(fees, by, feeKind), billCents) : [])),
  )
}

/** Returns the part of the fees that is charged separately, in cents. */
export const separateFeeOf = (fees: Fees, by: PagePaysBy, lines: readonly RequestedLine[]): number =>
  lines.reduce((sum, { feeKind, billCents }) => {
    const terms = termsOfLine(fees, by, feeKind)
    return sum + (terms.mode === 'two_transactions' && billCents ? quoteBy(terms, billCents).feeCents : 0)
  }, 0)

/**
 * Returns the amounts of the order: the sum without fees, the total that the page shows, and the amount of each paid
 * item.
 */
export function amountsOfOrder(checkout: Cart & { fees: Fees }, by: PagePaysBy, request: RequestedAmounts) {
  const lines = requestedLines(checkout, request)
  const { billCents = 0, totalCents = 0 } = quoteOfRequest(checkout.fees, by, lines) ?? {}
  return {
    payType: lines.length > 1 ? payTypeOf(billCents, checkout.payableCents) : request.payType,
    billCents,
    expectedTotalCents: totalCents,
    lines: lines.flatMap((line) =>
      line.billCents ? [{ no: line.no, payType: line.payType, billCents: line.billCents }] : [],
    ),
  }
}

/** Returns the validation schema of the form for the current payable amounts. */
export const requestForm = (cart: Cart) =>
  z
    .object({
      payType: z.union([z.literal(payTypes.full), z.literal(payTypes.partial), z.literal(payTypes.other)]),
      amountCents: z.nullable(z.int()),
      amounts: z.record(z.string(), z.optional(z.nullable(z.int()))),
      storedMethodId: z.int(),
      keep: z.boolean(),
      method: z.union([z.literal(methods.card), z.literal(methods.echeck)]),
      email: emailForm,
    })
    .check(({ value, issues }) => {
      const report = (message: string, path: string[]) => issues.push({ code: 'custom', message, path, input: value })
      const lines = requestedLines(cart, value)
      const cartError = refusalOfCart(cart, lines, value)
      if (!cartError) return
      if (lines.length === 1)
        return void report(cartError, [value.payType === payTypes.full ? 'payType' : 'amountCents'])
      const lineErrors = lines.flatMap((line) => {
        const message = line.billCents === 0 ? null : lineRefusal(line, cart.limits)
        return message ? [{ message, path: ['amounts', amountName(line.no)] }] : []
      })
      for (const { message, path } of lineErrors) report(message, path)
      if (lineErrors.length === 0) report(cartError, ['root.server'])
    })

/**
 * True if further typing cannot correct the amount. The form reports an amount that is too large immediately. It
 * reports one that is too small only when the field loses focus, because "2" may become "25.00".
 */
export const isBeyondCorrection = (amountCents: number | null, { minCents }: Limits): boolean =>
  amountCents !== null && amountCents >= minCents
