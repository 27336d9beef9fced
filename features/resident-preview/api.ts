/** Server functions for other features. */
export { endPreviews } from './server/preview-calls.ts'
