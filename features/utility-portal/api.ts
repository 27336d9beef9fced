/** Server functions for other features. */
export { leaveLinked, linkedPremises, unlinkAccounts } from './server/linked.ts'
