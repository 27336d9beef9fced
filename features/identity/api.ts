/** Server functions for other features. */
export { startEmailChange } from './server/change-email.ts'
export { mailConfirmation } from './server/confirm-email.ts'
