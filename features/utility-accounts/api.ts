/** Server functions for other features. */
export { IMPORT_LOCK, withImportLock } from './server/company-lock.ts'
export { type ArchiveReader, billDocuments, Documents } from './server/documents.ts'
export {
  type BillsResult,
  describeImport,
  loadBillFile,
  openBillingTable,
  type Part,
  previewBills,
  settleColumns,
} from './server/import-bills.ts'
export { type Loading, findCompanyId } from './server/import-file.ts'
export { describeReads, importReads } from './server/import-reads.ts'
export { lastReadOf } from './server/last-read.ts'
export { newestBills } from './server/newest-bills.ts'
export { companiesWithUpdates, takeUpdates } from './server/updates.ts'
export { setPaperless } from './server/paperless.ts'
export { exampleBill, utilityBills } from './server/payable.ts'
export { type AccountBalance, setBalances, storedBalances } from './server/set-balances.ts'
export { undoRules as billUndoRules } from './server/undo-bills.ts'
export { openShutoff, openShutoffOf, type Shutoff, takeShutoffStep } from './server/shutoffs.ts'
