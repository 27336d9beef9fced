/** What the servers of other features use of this one. */
export { startEmailChange } from './server/change-email.ts'
export { mailConfirmation } from './server/confirm-email.ts'
