/** Server functions for other features. */
export { blockedByOutage, isBlocked, lastTried, triedOf } from './server/attempts.ts'
export { outageOfPage } from './server/checkout-outage.ts'
export { bySystem, insertDeferredPayment } from './server/deferred-payments.ts'
