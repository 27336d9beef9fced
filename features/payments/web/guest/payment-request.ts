import * as z from 'zod/mini'
import { emailForm } from '../../contract.ts'
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
  refuseAmount,
  refuseCart,
  refuseLine,
} from '../../rules.ts'
import { type Brand, brandOfMeans, type FeeTerms, feeTermsFor, type Funding, quoteBy } from '../../rules-fees.ts'
import type { Checkout } from './checkout.ts'

/** What a payer chooses on the page. */
export interface PaymentRequest {
  payType: PayType
  /** Integer cents, for a partial or another amount; null while the text is no amount. */
  amountCents: number | null
  /** Of a cart with several things: what was chosen instead of all that is owed, by `amountName`. */
  amounts: Record<string, number | null | undefined>
  /** One of the payer's own methods that are kept, or `ANOTHER`, which is entered. */
  kept: number
  /** What is entered is kept for later payments, as its owner agreed. */
  keep: boolean
  method: Method
  email: string
}

/** No kept method has this number. */
export const ANOTHER = 0

/** What is offered first: the first that can be charged, or entering one. */
export const usualKept = (kept: Checkout['kept']): number => kept.find(({ isGood }) => isGood)?.id ?? ANOTHER

/** The field of a thing's amount: a name that no form takes for a place in a list. */
export const amountName = (no: number): string => `line${no}`

/** The amount that goes to the bill: all that is payable, or what was typed. */
export const billCentsOf = (
  wish: Pick<PaymentRequest, 'payType' | 'amountCents'>,
  payableCents: number,
): number | null => (wish.payType === payTypes.full ? payableCents : wish.amountCents)

/** The sentence against the chosen amount, or null. The server says the same by the same rule. */
export const refusalOf = (
  wish: Pick<PaymentRequest, 'payType' | 'amountCents'>,
  payableCents: number,
  limits: Limits,
): string | null => refuseAmount(wish.payType, billCentsOf(wish, payableCents), payableCents, limits)

export type Cart = Pick<Checkout, 'payables' | 'payableCents' | 'limits'>

type Fees = Checkout['fees']

/** A thing in the cart with what is to be paid of it; 0 leaves it out. */
export type RequestedLine = CartLine & { no: number; feeKind: string }

/** What is to be paid of each thing: of the only one as it was chosen, of several all that is owed or what was typed. */
export function wishedLines(
  { payables, payableCents }: Cart,
  wish: Pick<PaymentRequest, 'payType' | 'amountCents' | 'amounts'>,
) {
  return payables.map(({ no, feeKind, payableCents: owedCents, takesCredit, inFull }): RequestedLine => {
    const line = { no, feeKind, owedCents, takesCredit, inFull }
    if (payables.length === 1) return { ...line, payType: wish.payType, billCents: billCentsOf(wish, payableCents) }
    const typed = wish.amounts[amountName(no)]
    const billCents = typed === undefined ? Math.max(owedCents, 0) : typed
    return { ...line, payType: payTypeOf(billCents ?? 0, owedCents), billCents }
  })
}

/** The sentence against what is to be paid, or null; `refuseLine` says it of one of several things. */
export const refusalOfCart = (cart: Cart, lines: readonly RequestedLine[], wish: PaymentRequest): string | null =>
  cart.payables.length === 1 ? refusalOf(wish, cart.payableCents, cart.limits) : refuseCart(lines, cart.limits)

/** By what it is paid, as far as the page knows the card. */
export interface PagePaysBy {
  method: Method
  brand: Brand | null
  funding: Funding | null
}

/** A card of which nothing is known yet. */
export const ANY_CARD = { brand: null, funding: null } as const

/** A kept card is known by its words. */
export const keptCard = (means: string): Omit<PagePaysBy, 'method'> => ({ brand: brandOfMeans(means), funding: null })

/** By which rule a line is charged, as things stand on the page. */
export const termsOfLine = ({ on, location, rules }: Fees, by: PagePaysBy, kind: string): FeeTerms =>
  feeTermsFor(rules, { ...by, on, kind, location })

/** What the lines cost, each with its own fee. Null while one of them has no amount. */
export function quoteOfWish(fees: Fees, by: PagePaysBy, lines: readonly RequestedLine[]): Quote | null {
  if (lines.some(({ billCents }) => billCents === null)) return null
  return addQuotes(
    lines.flatMap(({ feeKind, billCents }) => (billCents ? quoteBy(termsOfLine(fees, by, feeKind), billCents) : [])),
  )
}

/** What of the fees is a charge of its own. */
export const apartOfWish = (fees: Fees, by: PagePaysBy, lines: readonly RequestedLine[]): number =>
  lines.reduce((sum, { feeKind, billCents }) => {
    const terms = termsOfLine(fees, by, feeKind)
    return sum + (terms.mode === 'two_transactions' && billCents ? quoteBy(terms, billCents).feeCents : 0)
  }, 0)

/** The form's rules, for what is payable now. */
export const wishForm = (cart: Cart) =>
  z
    .object({
      payType: z.union([z.literal(payTypes.full), z.literal(payTypes.partial), z.literal(payTypes.other)]),
      amountCents: z.nullable(z.int()),
      amounts: z.record(z.string(), z.optional(z.nullable(z.int()))),
      kept: z.int(),
      keep: z.boolean(),
      method: z.union([z.literal(methods.card), z.literal(methods.echeck)]),
      email: emailForm,
    })
    .check(({ value, issues }) => {
      const against = (message: string, path: string[]) => issues.push({ code: 'custom', message, path, input: value })
      const lines = wishedLines(cart, value)
      const message = refusalOfCart(cart, lines, value)
      if (!message) return
      if (lines.length === 1)
        return void against(message, [value.payType === payTypes.full ? 'payType' : 'amountCents'])
      const wrong = lines.flatMap((line) => {
        const sentence = line.billCents === 0 ? null : refuseLine(line, cart.limits)
        return sentence ? [{ sentence, path: ['amounts', amountName(line.no)] }] : []
      })
      for (const { sentence, path } of wrong) against(sentence, path)
      if (wrong.length === 0) against(message, ['root.server'])
    })

/**
 * Is the amount wrong in a way that typing on can't mend? "2" may become "25.00", so too small an amount is told when
 * the field is left; too large a one at once.
 */
export const isPastMending = (amountCents: number | null, { minCents }: Limits): boolean =>
  amountCents !== null && amountCents >= minCents
