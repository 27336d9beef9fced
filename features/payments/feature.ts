import type { Feature } from '../../server/feature.ts'
import { answerDisputeCall } from './server/answer-dispute.ts'
import { cartCalls } from './server/cart-calls.ts'
import { dropGuestPaymentCall } from './server/drop-guest-payment.ts'
import { guestCheckoutCall } from './server/guest-checkout.ts'
import { payGuestBillCall } from './server/pay-guest-bill.ts'
import { paymentDetailsCall, paymentEventsCall, paymentReceiptCall } from './server/report-calls.ts'
import { reportCalls } from './server/report.ts'
import { ownFeeCalls } from './server/own-fee-calls.ts'
import { refundCalls } from './server/refund-calls.ts'
import { testChargeCall } from './server/test-charge.ts'
import { providerOrigins } from './server/fields-of.ts'
import { outageCalls } from './server/outage/outage-calls.ts'
import { outageLists } from './server/outage/lists.ts'
import { promiseCalls } from './server/outage/make-promise.ts'
import { definePaymentJobs } from './server/jobs.ts'
import { mountGuestReceipt } from './server/guest-receipt.ts'
import { mountProviderEvents } from './server/provider-events.ts'
import { verifyMoney } from './server/verify-money.ts'

export const payments: Feature = {
  calls: [
    guestCheckoutCall,
    payGuestBillCall,
    dropGuestPaymentCall,
    ...cartCalls,
    ...reportCalls,
    paymentDetailsCall,
    paymentReceiptCall,
    paymentEventsCall,
    testChargeCall,
    ...refundCalls,
    ...ownFeeCalls,
    answerDisputeCall,
    ...promiseCalls,
    ...outageCalls,
    ...outageLists,
  ],
  origins: providerOrigins,
  mount: [mountProviderEvents, mountGuestReceipt],
  jobs: definePaymentJobs,
  retention: [
    { table: 'checkout_link', since: 'expires_at', days: 30 },
    { table: 'held_movement', since: 'at', days: 60 },
    // Unapplied events stay until staff have reviewed them.
    { table: 'provider_event', since: 'applied_at', days: 90 },
  ],
  waiting: [
    {
      label: 'Service fees that are owed',
      to: '/municipality/reports/payments?fee=owed',
      policy: 'transaction_management',
      table: 'payment_fee',
      status: 'owed',
    },
  ],
  verify: verifyMoney,
  demo: () => import('./demo-views.ts'),
}
