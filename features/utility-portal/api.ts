/** Server functions for other features. */
export { leaveLinked, linkedPremises, unlinkAccounts } from './server/linked.ts'
export { importedLinks, linkImported } from './server/link-imported.ts'
