import type { Feature } from '../../server/feature.ts'
import { cartCalls } from './server/cart-calls.ts'
import { dropGuestPaymentCall } from './server/drop-guest-payment.ts'
import { guestCheckoutCall } from './server/guest-checkout.ts'
import { mountGuestReceipt } from './server/guest-receipt.ts'
import { payGuestBillCall } from './server/pay-guest-bill.ts'

export const checkout: Feature = {
  calls: [guestCheckoutCall, payGuestBillCall, dropGuestPaymentCall, ...cartCalls],
  mount: [mountGuestReceipt],
}
