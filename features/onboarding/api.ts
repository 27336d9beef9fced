/** Server functions for other features. */
export { enter } from './server/onboardings.ts'
