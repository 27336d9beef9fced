import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { guestCheckout, PaymentState } from '../../contract.ts'
import { type PayType, payTypes, refuseAmount } from '../../rules.ts'

/** Everything that the page knows of the bill, the ways to pay it, and the payment. */
export type Checkout = AnswerOf<typeof guestCheckout>
export type Payment = Checkout['payment']

/** What can be paid now: what is owed, less what payments that are under way will take off. Negative is a credit. */
export const payableOf = ({ owedCents, pendingCents }: Pick<Checkout, 'owedCents' | 'pendingCents'>): number =>
  owedCents - pendingCents

/** No money moved and none is about to: the bill can be paid (again). */
export const isOpen = (state: PaymentState): boolean =>
  state === 'none' || state === 'declined' || state === 'returned' || state === 'void'

/** The first way of paying that would not be refused whatever is typed. */
export function usualPayType(checkout: Checkout): PayType {
  const payable = payableOf(checkout)
  return refuseAmount(payTypes.full, payable, payable, checkout.limits) === null ? payTypes.full : payTypes.other
}

/** Can a part be paid at all: is there an amount from the minimum that is less than what is owed? */
export const partIsPossible = (checkout: Checkout): boolean => payableOf(checkout) > checkout.limits.minCents
