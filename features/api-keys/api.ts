/** What the servers of other features use of this one. */
export { bearerOf, keyOf } from './server/keys.ts'
