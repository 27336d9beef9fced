/** What the servers of other features use of this one. */
export { leaveLinked, linkedPlaces, unlinkAccounts } from './server/linked.ts'
