import type { Readable } from 'node:stream'
import { readBill, type ReadBill, readHeader } from './bill-layout.ts'
import { describeFile, importFile, type ImportResult, type Layout, type Means, type Wrong } from './import-file.ts'
import { type Loaded, loadBills } from './load-bills.ts'

const bills: Layout<ReadBill, Loaded> = {
  readHeader,
  readLine: readBill,
  load: loadBills,
  none: { accountsCreated: 0, accountsUpdated: 0, billsCreated: 0, billsChanged: 0, billsUnchanged: 0 },
  audit: 'bills.imported',
}

/** Loads utility accounts and bills of a town from a CSV (docs/import-bills.md). */
export const importBills = (
  means: Means,
  subdomain: string,
  input: Readable,
  onWrong?: (wrong: Wrong) => void,
): Promise<ImportResult<Loaded>> => importFile(bills, means, subdomain, input, onWrong)

export const describeImport = (result: ImportResult<Loaded>): string[] =>
  describeFile(result, (count) => [
    `${count(result.billsCreated, 'bill')} new, ${result.billsChanged} with another amount paid, ${result.billsUnchanged} unchanged.`,
    `${count(result.accountsCreated, 'account')} new, ${result.accountsUpdated} updated.`,
  ])
