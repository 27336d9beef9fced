import type { Feature } from '../../server/feature.ts'
import { answerDisputeCall } from './server/answer-dispute.ts'
import { refundCalls } from './server/refund-calls.ts'
import { defineRefundJobs } from './server/send-refund.ts'

export const refunds: Feature = {
  calls: [...refundCalls, answerDisputeCall],
  jobs: defineRefundJobs,
}
