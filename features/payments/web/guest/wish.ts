import * as z from 'zod/mini'
import { emailForm } from '../../contract.ts'
import { type Limits, methods, type PayType, payTypes, refuseAmount } from '../../rules.ts'

/** What a payer chooses on the page. */
export interface Wish {
  payType: PayType
  /** Integer cents, for a partial or another amount; null while the text is no amount. */
  amountCents: number | null
  method: 1 | 2
  email: string
}

/** The amount that goes to the bill: all that is payable, or what was typed. */
export const billCentsOf = (wish: Pick<Wish, 'payType' | 'amountCents'>, payableCents: number): number | null =>
  wish.payType === payTypes.full ? payableCents : wish.amountCents

/** The sentence against the chosen amount, or null. The server says the same by the same rule. */
export const refusalOf = (
  wish: Pick<Wish, 'payType' | 'amountCents'>,
  payableCents: number,
  limits: Limits,
): string | null => refuseAmount(wish.payType, billCentsOf(wish, payableCents), payableCents, limits)

/** The form's rules, for what is payable now. */
export const wishForm = (payableCents: number, limits: Limits) =>
  z
    .object({
      payType: z.union([z.literal(payTypes.full), z.literal(payTypes.partial), z.literal(payTypes.other)]),
      amountCents: z.nullable(z.int()),
      method: z.union([z.literal(methods.card), z.literal(methods.echeck)]),
      email: emailForm,
    })
    .check(({ value, issues }) => {
      const message = refusalOf(value, payableCents, limits)
      const field = value.payType === payTypes.full ? 'payType' : 'amountCents'
      if (message) issues.push({ code: 'custom', message, path: [field], input: value })
    })

/**
 * Is the amount wrong in a way that typing on can't mend? "2" may become "25.00", so too small an amount is told when
 * the field is left; too large a one at once.
 */
export const isPastMending = (amountCents: number | null, { minCents }: Limits): boolean =>
  amountCents !== null && amountCents >= minCents
