import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { guestCheckout, PaymentState } from '../../contract.ts'
import { type PayType, payTypes, refuseAmount } from '../../rules.ts'

/** Everything that the page knows of the bill, the ways to pay it, and the payment. */
export type Checkout = AnswerOf<typeof guestCheckout>
export type Payment = Checkout['payment']

/** No money moved and none is about to: the bill can be paid (again). */
export const isOpen = (state: PaymentState): boolean =>
  state === 'none' || state === 'declined' || state === 'returned' || state === 'void'

/** The first way of paying that would not be refused whatever is typed. */
export function usualPayType(checkout: Checkout): PayType {
  const { payableCents, limits } = checkout
  return refuseAmount(payTypes.full, payableCents, payableCents, limits) === null ? payTypes.full : payTypes.other
}

/** Can a part be paid at all: is there an amount from the minimum that is less than what is owed? */
export const partIsPossible = (checkout: Checkout): boolean => checkout.payableCents > checkout.limits.minCents
