import type { Feature } from '../../server/feature.ts'
import { feeCalls } from './server/fee-calls.ts'
import { respondToDisputeCall } from './server/respond-to-dispute.ts'
import { refundCalls } from './server/refund-calls.ts'
import { defineRefundJobs } from './server/send-refund.ts'

export const refunds: Feature = {
  calls: [...refundCalls, ...feeCalls, respondToDisputeCall],
  jobs: defineRefundJobs,
}
