/** What the servers of other features use of this one. */
export { endAfter } from './server/leaving.ts'
export { closeStoredMethods } from './server/methods.ts'
