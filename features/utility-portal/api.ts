/** Server functions for other features. */
export { leaveLinked, linkedPlaces, unlinkAccounts } from './server/linked.ts'
