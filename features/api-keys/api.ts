/** Server functions for other features. */
export { bearerOf, keyOf } from './server/keys.ts'
