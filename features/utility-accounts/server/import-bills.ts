import type { Readable } from 'node:stream'
import type { CompanyId } from '../../../server/tenancy.ts'
import { readBill, type ReadBill, readHeader } from './bill-layout.ts'
import {
  describeFile,
  type Each,
  expectLayout,
  importFile,
  type ImportResult,
  type Layout,
  loadFile,
  type Loading,
  type Means,
} from './import-file.ts'
import { type Counts, type Loaded, loadBills } from './load-bills.ts'
import { copyWhatIsThere, pretend } from './pretended-tables.ts'

export type BillsResult = ImportResult<Counts>
/** What some lines of a file of bills came to. */
export type Part = Loaded & { read: number }

const bills: Layout<ReadBill, Counts, Loaded> = {
  readHeader,
  readLine: readBill,
  load: loadBills,
  none: {
    accountsCreated: 0,
    accountsUpdated: 0,
    billsCreated: 0,
    billsChanged: 0,
    billsUnchanged: 0,
    billedCents: 0,
    receivedCents: 0,
  },
  audit: 'bills.imported',
}

/** @throws FileRefused for what is no file of bills at all */
export const expectBills = (input: Readable): Promise<void> => expectLayout(bills, input)

/** Loads utility accounts and bills of a town from a CSV (docs/import-bills.md). */
export const importBills = (means: Means, subdomain: string, input: Readable): Promise<BillsResult> =>
  importFile(bills, means, subdomain, input)

/** The same for who is alone in the town already (`aloneInTown`) and writes down by itself what came of it. */
export const loadBillFile = (
  means: Loading,
  company: CompanyId,
  input: Readable,
  how: { each: Each<Loaded>; skip?: number },
): Promise<BillsResult> => loadFile(bills, means, company, input, how)

/**
 * Says what a file would change, and changes nothing: what loads it works on tables of this transaction's own, which begin
 * as copies of what the file names. No account is locked meanwhile, so nobody who pays has to wait.
 * @throws FileRefused
 */
export const rehearseBills = (
  { inCompany, clock }: Loading,
  company: CompanyId,
  input: Readable,
  each: Each<Loaded> = async () => {},
): Promise<BillsResult> =>
  inCompany(company, async (tx) => {
    await pretend(tx)
    const rehearsed: typeof bills = {
      ...bills,
      load: async (own, of, lines, now) => {
        await copyWhatIsThere(own, of, lines)
        return loadBills(own, of, lines, now)
      },
    }
    // Every part in this one transaction, in which the pretended tables are.
    const here: Loading['inCompany'] = (_company, work) => work(tx)
    return loadFile(rehearsed, { inCompany: here, clock }, company, input, { each })
  })

export const describeImport = (result: BillsResult): string[] =>
  describeFile(result, (count) => [
    `${count(result.billsCreated, 'bill')} new, ${result.billsChanged} with another amount paid, ${result.billsUnchanged} unchanged.`,
    `${count(result.accountsCreated, 'account')} new, ${result.accountsUpdated} updated.`,
  ])
