import type { Implemented } from '../../../server/call.ts'
import { dropGuestPaymentCall } from './drop-guest-payment.ts'
import { guestCheckoutCall } from './guest-checkout.ts'
import { payGuestBillCall } from './pay-guest-bill.ts'
import { paymentDetailsCall, paymentEventsCall, paymentReceiptCall } from './report-calls.ts'
import { reportCalls } from './report.ts'
import { testChargeCall } from './test-charge.ts'

export const calls: Implemented[] = [
  guestCheckoutCall,
  payGuestBillCall,
  dropGuestPaymentCall,
  ...reportCalls,
  paymentDetailsCall,
  paymentReceiptCall,
  paymentEventsCall,
  testChargeCall,
]
