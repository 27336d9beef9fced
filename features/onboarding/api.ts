/** Server functions for other features. */
export { enter } from './server/onboardings.ts'
export { tryCharge } from './server/test-charge.ts'
