/** What the servers of other features use of this one. */
export { enter } from './server/onboardings.ts'
