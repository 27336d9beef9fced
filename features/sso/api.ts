/** Server functions for other features. */
export { linksOf, unlink } from './server/linked.ts'
