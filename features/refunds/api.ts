/** Server functions for other features. */
export { openDispute } from './server/respond-to-dispute.ts'
export { requestRefund, decide, mayVoid, pendingRefunds } from './server/request-refund.ts'
export { describeRefund, sendRefund } from './server/send-refund.ts'
export { AT_OFFICE, defineTill } from './server/till.ts'
