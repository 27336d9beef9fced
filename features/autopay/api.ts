/** Server functions for other features. */
export { endAfter } from './server/leaving.ts'
export { closeStoredMethods } from './server/methods.ts'
