import type { Readable } from 'node:stream'
import { FileRefused } from '../../../server/file-refused.ts'
import { openTableOfStaff, settle } from '../../../server/import-columns.ts'
import { openSheet, type Table } from '../../../server/table-rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ColumnsReport, FileMapping } from '../../../shared/imports.ts'
import { say } from '../../../shared/messages.ts'
import { billColumns, recordColumns } from './bill-columns.ts'
import { type BillRecord, readBill, readerWithHeaders } from './bill-layout.ts'
import {
  describeFile,
  importFile,
  type ImportResult,
  type Layout,
  loadFile,
  type Loading,
  type LoadOptions,
  type ImportDeps,
} from './import-file.ts'
import { type Counts as BillCounts, type LoadedBills2 as LoadedBills, loadBills } from './load-bills.ts'
import { type LoadedRecords, loadRecords, type RecordCounts } from './load-records.ts'
import { type Documents, withoutDocuments } from './documents.ts'
import { copyBills, copyRecords, pretend } from './pretended-tables.ts'
import { type AccountRecord, readRecord } from './record-layout.ts'
import { keepRows, noteRows } from './undo-bills.ts'

export type Counts = BillCounts & RecordCounts & Record<'documentsStored' | 'documentsMissing', number>
export type BillsResult = ImportResult<Counts>
export type LoadedFile = LoadedBills & LoadedRecords & Counts
/** Result of loading some of the lines of a billing file. */
export type Part = LoadedFile & { read: number }

type Line = BillRecord | AccountRecord
const isRecord = (line: Line): line is AccountRecord => 'record_number' in line
const isBill = (line: Line): line is BillRecord => !isRecord(line)

/** Loads lines of bills or of account records. The file's header determines which of the two. */
async function loadLines(
  tx: Tx,
  company: CompanyId,
  lines: readonly Line[],
  now: Date,
  along?: Documents,
): Promise<LoadedFile> {
  const bills = await loadBills(tx, company, lines.filter(isBill), now)
  const records = await loadRecords(tx, company, lines.filter(isRecord), now)
  const refused = new Set(bills.invalidRows.map(({ line }) => line))
  const good = lines.filter(isBill).filter(({ line }) => !refused.has(line))
  const documents = along ? await along.keep(tx, company, good) : await withoutDocuments(tx, company, good)
  return {
    ...bills,
    ...records,
    ...documents,
    changes: [...bills.changes, ...records.changes, ...documents.changes].toSorted((a, b) => a.line - b.line),
    invalidRows: [...bills.invalidRows, ...records.invalidRows],
  }
}

const bills: Layout<Line, Counts, LoadedFile> = {
  columns: [billColumns, recordColumns],
  lineReader: ({ columns, headers, mapping }) => {
    if (columns.kind === recordColumns.kind) return readRecord
    const withHeaders = readerWithHeaders(mapping, headers)
    const has = (name: string) => mapping.columns.includes(name) || Boolean(mapping.values[name])
    return (get, line) => readBill(withHeaders(get), line, has)
  },
  load: (tx, company, lines, now) => loadLines(tx, company, lines, now),
  keep: keepRows,
  note: noteRows,
  countOf: (loaded) => ({
    created: loaded.accountsCreated + loaded.billsCreated + loaded.adjustmentsCreated,
    changed: loaded.accountsUpdated + loaded.billsChanged + loaded.shutoffsChanged,
  }),
  none: {
    accountsCreated: 0,
    accountsUpdated: 0,
    billsCreated: 0,
    billsChanged: 0,
    billsUnchanged: 0,
    billedCents: 0,
    receivedCents: 0,
    adjustmentsCreated: 0,
    adjustedCents: 0,
    shutoffsChanged: 0,
    recordsUnchanged: 0,
    documentsStored: 0,
    documentsMissing: 0,
  },
  audit: 'bills.imported',
}

/** Columns of a billing file, with the choices of staff. */
export interface SettledColumns {
  kind: string
  hash: string
  mapping: FileMapping
  columns: ColumnsReport
}

/** Opens a file of bills or of account records. @throws FileRefused if the file is not a table */
export const openBillingTable = (input: Readable, sheet = ''): Promise<Table> =>
  openSheet(input, sheet, billColumns, recordColumns)

/**
 * Settles the columns of a billing file from staff. `sheet` is the sheet that they chose, or '' for none.
 * @throws FileRefused if the file is not a table with names that resemble a billing file
 */
export async function settleColumns(
  { inCompany, clock }: Loading,
  company: CompanyId,
  open: () => Readable,
  sheet = '',
): Promise<SettledColumns> {
  const chosen = JSON.stringify({ columns: [], values: {}, sheet })
  const table = await openTableOfStaff(
    (work) => inCompany(company, work),
    open,
    { company, chosen },
    billColumns,
    recordColumns,
  )
  try {
    const settled = await inCompany(company, (tx) => settle(tx, table, { company, now: clock.now(), chosen: null }))
    if (settled.mapping.columns.every((name) => name === ''))
      throw new FileRefused(say`The first line must contain the column names. Download a sample file to see them.`)
    const mapping = { ...settled.mapping, ...(table.sheets.length > 1 && { sheet: table.sheet }) }
    return { kind: table.columns.kind, hash: table.hash, ...settled, mapping }
  } finally {
    await table.close()
  }
}

/** Loads utility accounts and bills of a company from a CSV file or workbook (docs/import-bills.md). */
export const importBills = (deps: ImportDeps, subdomain: string, input: Readable): Promise<BillsResult> =>
  importFile(bills, deps, subdomain, input)

/**
 * Loads a billing file for a caller that already holds the import lock (`withImportLock`). The caller records the result.
 */
export async function loadBillFile(
  deps: Loading,
  company: CompanyId,
  input: Readable,
  { documents, ...how }: LoadOptions<LoadedFile> & { documents?: Documents },
): Promise<BillsResult> {
  if (!documents) return loadFile(bills, deps, company, input, how)
  const withThem: typeof bills = {
    ...bills,
    prepare: (of, lines) => documents.prepare(of, lines.filter(isBill), false),
    load: (tx, of, lines, now) => loadLines(tx, of, lines, now, documents),
  }
  try {
    const result = await loadFile(withThem, deps, company, input, how)
    await documents.finish()
    return result
  } catch (error) {
    await documents.finish({ failed: true })
    throw error
  }
}

/**
 * Previews the changes of a file without making them. The loader works on temporary copies of the affected rows, so
 * accounts stay unlocked and payers do not wait.
 * @throws FileRefused
 */
export const previewBills = (
  { inCompany, clock }: Loading,
  company: CompanyId,
  input: Readable,
  { documents, ...how }: LoadOptions<LoadedFile> & { documents?: Documents } = {},
): Promise<BillsResult> =>
  inCompany(company, async (tx) => {
    await pretend(tx)
    const previewed: typeof bills = {
      ...bills,
      load: async (own, of, lines, now) => {
        await copyBills(own, of, lines.filter(isBill))
        await copyRecords(own, of, lines.filter(isRecord))
        return loadLines(own, of, lines, now, documents)
      },
      ...(documents && { prepare: (of, lines) => documents.prepare(of, lines.filter(isBill), true) }),
    }
    // Loads the entire file in this transaction, because the temporary tables belong to it.
    const here: Loading['inCompany'] = (_company, work) => work(tx)
    return loadFile(previewed, { inCompany: here, clock }, company, input, how)
  })

export const describeImport = (result: BillsResult): string[] =>
  describeFile(result, (count) => [
    `${count(result.billsCreated, 'new bill')}, ${result.billsChanged} with a different amount paid, ${result.billsUnchanged} unchanged.`,
    `${count(result.accountsCreated, 'new account')}, ${result.accountsUpdated} updated.`,
    ...(hasRecords(result)
      ? [
          `${count(result.adjustmentsCreated, 'new adjustment')}, ${count(result.shutoffsChanged, 'new shutoff step')}, ${result.recordsUnchanged} unchanged.`,
        ]
      : []),
    ...(hasDocuments(result)
      ? [`${count(result.documentsStored, 'PDF')} saved, ${result.documentsMissing} missing.`]
      : []),
  ])

const hasDocuments = ({ documentsStored, documentsMissing }: BillsResult): boolean =>
  documentsStored + documentsMissing > 0

const hasRecords = ({ adjustmentsCreated, shutoffsChanged, recordsUnchanged }: BillsResult): boolean =>
  adjustmentsCreated + shutoffsChanged + recordsUnchanged > 0
