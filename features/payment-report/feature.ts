import type { Feature } from '../../server/feature.ts'
import { paymentDetailsCall, paymentEventsCall, paymentReceiptCall } from './server/payment-details.ts'
import { reportCalls } from './server/report.ts'

export const paymentReport: Feature = {
  calls: [...reportCalls, paymentDetailsCall, paymentReceiptCall, paymentEventsCall],
  demo: () => import('./demo.ts'),
}
