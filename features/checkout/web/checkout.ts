import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { guestCheckout } from '../contract.ts'
import type { PaymentState } from '../../payments/contract.ts'
import { type PayType, payTypes, amountRefusal } from '../../payments/rules.ts'

/** Data of the payment page: the bill, the payment methods and the payment. */
export type Checkout = ResponseOf<typeof guestCheckout>
export type Payment = Checkout['payment']

/** True if no money moved and no payment is pending, so the bill can be paid or paid again. */
export const isOpen = (state: PaymentState): boolean =>
  state === 'none' || state === 'declined' || state === 'returned' || state === 'void'

/**
 * Returns the next installment of the arrangement if the cart has a single item. Null without an arrangement, or if the
 * installment is below the minimum.
 */
export const installmentOf = ({ payables, limits }: Pick<Checkout, 'payables' | 'limits'>) => {
  const installment = payables.length === 1 ? payables[0]?.installment : null
  return installment && installment.cents >= limits.minCents ? installment : null
}

/**
 * Returns the default amount choice: the installment if the payer came to pay one, otherwise the full amount. If the
 * limits do not allow the full amount, the choice is another amount.
 */
export function defaultAmount(
  checkout: Pick<Checkout, 'payables' | 'payableCents' | 'limits'>,
  byPlan: boolean,
): { payType: PayType; amountCents: number | null } {
  const { payableCents, limits } = checkout
  const installment = byPlan ? installmentOf(checkout) : null
  if (installment) return { payType: payTypes.partial, amountCents: installment.cents }
  const isPayable = amountRefusal(payTypes.full, payableCents, payableCents, limits) === null
  return { payType: isPayable ? payTypes.full : payTypes.other, amountCents: null }
}

/** True if partial payment is possible: an amount from the minimum up to less than the amount due. */
export const canPayPartially = (checkout: Checkout): boolean => checkout.payableCents > checkout.limits.minCents

/** Returns the start of the outage. Null if payments can be charged. */
export const outageStartOf = ({ outage }: Pick<Checkout, 'outage'>): string | null =>
  outage.second ? null : outage.since
