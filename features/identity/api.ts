/** Server functions for other features. */
export { startEmailChange } from './server/change-email.ts'
export { emailConfirmation } from './server/confirm-email.ts'
