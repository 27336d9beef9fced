import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { guestCheckout, PaymentState } from '../../contract.ts'
import { type PayType, payTypes, refuseAmount } from '../../rules.ts'

/** Everything that the page knows of the bill, the ways to pay it, and the payment. */
export type Checkout = ResponseOf<typeof guestCheckout>
export type Payment = Checkout['payment']

/** No money moved and none is about to: the bill can be paid (again). */
export const isOpen = (state: PaymentState): boolean =>
  state === 'none' || state === 'declined' || state === 'returned' || state === 'void'

/** What a payment arrangement of the only thing in the cart asks for next; null where there is none, or it is too little to be paid. */
export const installmentOf = ({ payables, limits }: Pick<Checkout, 'payables' | 'limits'>) => {
  const installment = payables.length === 1 ? payables[0]?.installment : null
  return installment && installment.cents >= limits.minCents ? installment : null
}

/**
 * What is chosen first: the installment where somebody came to pay one, else the first way of paying that would not be refused
 * whatever is typed.
 */
export function usualAmount(
  checkout: Pick<Checkout, 'payables' | 'payableCents' | 'limits'>,
  byPlan: boolean,
): { payType: PayType; amountCents: number | null } {
  const { payableCents, limits } = checkout
  const installment = byPlan ? installmentOf(checkout) : null
  if (installment) return { payType: payTypes.partial, amountCents: installment.cents }
  const isPayable = refuseAmount(payTypes.full, payableCents, payableCents, limits) === null
  return { payType: isPayable ? payTypes.full : payTypes.other, amountCents: null }
}

/** Can a part be paid at all: is there an amount from the minimum that is less than what is owed? */
export const partIsPossible = (checkout: Checkout): boolean => checkout.payableCents > checkout.limits.minCents
