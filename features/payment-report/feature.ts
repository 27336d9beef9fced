import type { Feature } from '../../server/feature.ts'
import { paymentDetailsCall, paymentEventsCall, paymentReceiptCall } from './server/payment-details.ts'
import { reportCalls } from './server/report.ts'
import { paymentLookup } from './server/lookup.ts'

export const paymentReport: Feature = {
  lookups: [paymentLookup],
  calls: [...reportCalls, paymentDetailsCall, paymentReceiptCall, paymentEventsCall],
  demo: () => import('./demo.ts'),
}
