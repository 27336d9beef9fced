/** What the servers of other features use of this one. */
export { linksOf, unlink } from './server/linked.ts'
