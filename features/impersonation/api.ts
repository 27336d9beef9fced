/** Server functions for other features. */
export { startHandOff } from './server/check-privilege.ts'
