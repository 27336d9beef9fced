/** Server functions for other features. */
export { findOpenDispute } from './server/respond-to-dispute.ts'
export { requestRefund, decide, mayVoid, pendingRefunds } from './server/request-refund.ts'
export { describeRefund, sendRefund } from './server/send-refund.ts'
export { COUNTER_PROVIDER, defineOpenDrawers } from './server/open-drawer.ts'
