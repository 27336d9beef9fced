import type { Implemented } from '../../../server/call.ts'
import { dropGuestPaymentCall } from './drop-guest-payment.ts'
import { guestCheckoutCall } from './guest-checkout.ts'
import { payGuestBillCall } from './pay-guest-bill.ts'
import {
  paymentDetailsCall,
  paymentEventsCall,
  paymentReceiptCall,
  paymentReportCall,
  paymentReportCsvCall,
} from './report-calls.ts'
import { testChargeCall } from './test-charge.ts'

export const calls: Implemented[] = [
  guestCheckoutCall,
  payGuestBillCall,
  dropGuestPaymentCall,
  paymentReportCall,
  paymentReportCsvCall,
  paymentDetailsCall,
  paymentReceiptCall,
  paymentEventsCall,
  testChargeCall,
]
