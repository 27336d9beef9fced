import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ImportReport } from '../shared/imports.ts'
import { unusualChars } from '../shared/chars.ts'
import { say } from '../shared/messages.ts'
import { importColumns } from './columns.ts'
import { cellsOf, ColumnsNeeded, correctionsIn } from './import-columns.ts'
import { ChangedRows } from './listed-rows.ts'
import { FileRefused } from './file-refused.ts'
import { conflict, rejected } from './errors.ts'
import type { CompanyId, Tx } from './tenancy.ts'
import { unprintableIn } from './emails.ts'
import { createImport, ImportedRows, type ImportSource, removeImport, type UndoRules } from './imported-rows.ts'
import { RowError } from './row-error.ts'

export { RowError }

/** Error that rolls back the transaction of a preview or of a refused import. */
class RollbackError extends Error {}

/**
 * Returns the text of a column in a row of the file, or '' if empty.
 * @throws RowError if the text is unreadable or too long
 */
export function textIn(texts: ReadonlyMap<string, string>, name: string, max: number): string {
  const value = texts.get(name) ?? ''
  if (value.length > max) throw new RowError(say`The value in the column “${name}” has more than ${max} characters.`)
  if (/[\uFFFD\0]/.test(value))
    throw new RowError(
      say`The value in the column “${name}” has characters that cannot be read. Save the file as UTF-8 and import it again.`,
    )
  return value
}

/**
 * Creates a collector of valid rows for the next batch. It refuses a row if an earlier row of the file has the same
 * `key`.
 */
export function collectRows<Row extends object>(
  keyOf: (row: Row) => string,
  twice: (key: string, before: string) => string,
) {
  const seen = new Map<string, string>()
  const gathered: (Row & { where: string })[] = []
  return {
    /**
     * Adds a row.
     * @throws RowError if an earlier row of the file has the same key
     */
    add: (row: Row, where: string): void => {
      const key = keyOf(row)
      const before = seen.get(key)
      if (before) throw new RowError(twice(key, before))
      seen.set(key, where)
      gathered.push({ ...row, where })
    },
    /** Returns all rows added since the last call. */
    drain: (): (Row & { where: string })[] => gathered.splice(0),
  }
}

const MAX_REPORTED = 1000
const BREATH = 100

interface Import<Report extends ImportReport> {
  mode: 'preview' | 'import'
  rowErrors: 'refuse' | 'leave out'
  /** Choices of staff for the columns and rows of the file. The digest covers them. */
  columns?: string | undefined
  /** Digest of the preview that staff confirmed. */
  digest?: string | undefined
  /** Additional fields of the report with their initial values, such as sums of money. */
  besides?: Omit<Report, keyof ImportReport>
  /** Source of the file and the rules of its undo. Without them, staff can't undo the import. */
  undo?: { source: ImportSource; rules: UndoRules }
  /** Reads the file and writes its valid rows. */
  work: (tx: Tx, report: Report, rows: ImportedRows) => Promise<unknown>
  /** Records a completed import, for example in the audit log. */
  record: (
    tx: Tx,
    counts: Omit<
      Report,
      'invalidRows' | 'imported' | 'unprintable' | 'columns' | 'importId' | 'digest' | 'differs' | 'rows'
    >,
  ) => Promise<unknown>
}

/**
 * Imports a file in one transaction. `rowErrors` decides whether the import skips invalid rows or fails. A preview does
 * the same work and then rolls back, so that its report equals the report of the import. If the import would have another
 * result than the preview that staff confirmed, it also rolls back.
 */
export async function importAtOnce<Report extends ImportReport = ImportReport>(
  inCompany: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  { mode, rowErrors, columns, digest, besides, undo, work, record }: Import<Report>,
): Promise<Report> {
  const none = {
    imported: false,
    read: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    errorCount: 0,
    invalidRows: [],
    unprintable: [],
  }
  const lists = columns !== undefined && { rows: { created: [], changed: [], unchanged: [] } }
  const report = { ...none, ...lists, ...besides } as unknown as Report
  try {
    await inCompany(async (tx) => {
      const rows = await startRows(tx, mode, undo)
      rows.changed = changedRows(tx, undo, report)
      await work(tx, report, rows)
      await rows.changed?.end()
      report.unprintable = await unprintableIn('import', report.unprintable.join(''))
      if (columns !== undefined) report.digest = digestOf(report, columns)
      if (digest && digest !== report.digest) report.differs = true
      if (mode === 'preview' || report.differs || (report.errorCount > 0 && rowErrors === 'refuse'))
        throw new RollbackError()
      const {
        invalidRows: _invalidRows,
        imported: _imported,
        unprintable: _unprintable,
        columns: _,
        importId: _importId,
        digest: _digest,
        differs: _differs,
        rows: _rows,
        ...counts
      } = report
      await finishRows(tx, rows, report)
      await record(tx, counts)
    })
  } catch (error) {
    if (error instanceof FileRefused) throw rejected(error.message, { file: error.message })
    if (!(error instanceof RollbackError || error instanceof ColumnsNeeded)) throw error
    return report
  }
  return { ...report, imported: true }
}

/** Returns the digest of a result. It also covers the columns and the corrected rows. */
function digestOf(
  { unprintable: _unprintable, rows: _rows, invalidRows, ...result }: ImportReport,
  columns: string,
): string {
  const rows = invalidRows.map(({ where, reason }) => [where, reason])
  return createHash('sha256')
    .update(JSON.stringify([result, rows, correctionsIn(columns)]))
    .digest('base64url')
}

/** Starts the list of rows that the import creates and changes. A preview has none. */
async function startRows(
  tx: Tx,
  mode: 'preview' | 'import',
  undo: Import<ImportReport>['undo'],
): Promise<ImportedRows> {
  if (!undo || mode === 'preview') return ImportedRows.preview()
  return ImportedRows.start(tx, undo.source, undo.rules, await createImport(tx, undo.source, undo.rules))
}

/** Lists the changed rows, if the importer declares where it stores the values of its columns. */
function changedRows(tx: Tx, undo: Import<ImportReport>['undo'], report: ImportReport): ChangedRows | undefined {
  const columns = importColumns.get(undo?.source.kind ?? '')
  if (!undo || !report.rows || !columns?.stored) return undefined
  return new ChangedRows(tx, undo.source.company, report, { ...columns, stored: columns.stored })
}

async function finishRows(tx: Tx, rows: ImportedRows, report: ImportReport): Promise<void> {
  if (rows.id === null) return
  if (report.created + report.changed === 0) return removeImport(tx, rows.id)
  await rows.end(report)
  report.importId = rows.id
}

export function reportInvalidRow(report: ImportReport, where: string, reason: string): void {
  report.errorCount += 1
  if (report.invalidRows.length >= MAX_REPORTED) return
  const row = cellsOf(report, where)
  const isReadable = row && row.cells.length > 0
  report.invalidRows.push({
    where,
    reason,
    ...(row && { cells: [...row.cells] }),
    ...(isReadable && { line: row.line }),
  })
}

interface RowImport<Row> {
  report: ImportReport
  /** Checks and collects one row. @throws RowError if the row is invalid */
  take: (row: Row) => void
  /** Writes the collected rows. Called after every `every` rows and at the end. */
  write: (last: boolean) => Promise<void>
  every: number
}

/**
 * Collects the unusual characters of a row, because the document fonts may lack these characters. The fonts are checked
 * once, at the end of the file.
 */
function noteUnprintable(report: ImportReport, row: object): void {
  const texts = Object.values(row).flatMap((value: unknown) => (value instanceof Map ? [...value.values()] : [value]))
  const odd = unusualChars(texts.filter((text) => typeof text === 'string').join(''))
  if (odd !== '') report.unprintable = [...unusualChars(report.unprintable.join('') + odd)]
}

/** Checks and collects the rows of a file while reading it. Writes them in batches. */
export async function importRows<Row extends { where: string; reason?: string | undefined }>(
  rows: AsyncIterable<Row>,
  { report, take, write, every }: RowImport<Row>,
): Promise<void> {
  for await (const row of rows) {
    report.read += 1
    try {
      if (row.reason) throw new RowError(row.reason)
      take(row)
      noteUnprintable(report, row)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      reportInvalidRow(report, row.where, error.message)
    }
    // Pauses regularly, because reading without pauses would block all other work.
    if (report.read % BREATH === 0) await setImmediate()
    if (report.read % every === 0) await write(false)
  }
  await write(true)
}

/** Refuses an import while another import of this kind runs for the company. The lock ends with the transaction. */
export async function refuseParallelImport(tx: Tx, lock: number, company: CompanyId): Promise<void> {
  const { rows } = await sql<{ got: boolean }>`SELECT pg_try_advisory_xact_lock(${lock}, ${company}) AS got`.execute(tx)
  if (!rows[0]?.got)
    throw conflict('import_running', 'Another import is running for this municipality. Try again when it is done.')
}
