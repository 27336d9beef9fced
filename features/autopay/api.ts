/** Server functions for other features. */
export { scheduleAutopayEnd } from './server/scheduled-ends.ts'
export { closeStoredMethods } from './server/methods.ts'
