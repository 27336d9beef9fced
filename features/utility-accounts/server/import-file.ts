import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { auditCompany } from '../../../server/audit.ts'
import type { Clock } from '../../../server/clock.ts'
import { columnKey, exactMapping, type ImportColumns, missingIn, unmappedIn } from '../../../server/columns.ts'
import { rememberedMapping, titlesOf } from '../../../server/import-columns.ts'
import type { Pools } from '../../../server/db/pool.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { ImportedRows } from '../../../server/imported-rows.ts'
import type { Log } from '../../../server/log.ts'
import { type CompanyId, companyIdFrom, outsideCompanies, tenancyOn, type Tx } from '../../../server/tenancy.ts'
import { openSheet, type Table } from '../../../server/table-rows.ts'
import type { AuditAction } from '../../../shared/audit-actions.ts'
import type { ColumnMapping, FileMapping } from '../../../shared/imports.ts'
import { withImportLock } from './company-lock.ts'
import { type Get, getterOf, LineError } from './line-values.ts'

export interface InvalidRow {
  line: number
  reason: string
  /**
   * Identifiers from the refused line, so that staff can find the record in their billing system. Omitted if the line
   * contains none.
   */
  account?: string
  customer?: string
  bill?: string
}

/** Result of importing a file: its lines and the counts of loaded rows. */
export type ImportResult<Counts> = Counts & {
  /** Number of lines that are not empty, valid or not. */
  read: number
  /** Number of refused lines. `invalidRows` contains only the first thousand of them. */
  errorCount: number
  invalidRows: InvalidRow[]
}

/** Kind of file from a billing system. Defines how to parse its lines and load a batch of them. */
export interface Layout<
  Line,
  Counts extends Record<string, number>,
  Loaded extends Counts & { invalidRows: InvalidRow[] } = Counts & { invalidRows: InvalidRow[] },
> {
  /** Columns that the file may have. */
  columns: readonly ImportColumns[]
  /**
   * Returns a function that parses one line of a file.
   * @throws LineError from that function
   */
  lineReader(of: Pick<Table, 'columns' | 'headers'> & { mapping: ColumnMapping }): (get: Get, line: number) => Line
  load(tx: Tx, company: CompanyId, lines: readonly Line[], now: Date): Promise<Loaded>
  /** Keeps the rows that these lines may change, for the undo of the import. */
  keep?: (changes: ImportedRows, lines: readonly Line[]) => Promise<void>
  /** Notes the new rows of these lines in tables without an id. */
  note?: (changes: ImportedRows, lines: readonly Line[]) => Promise<void>
  /** Returns the numbers of new and changed records. */
  countOf?: (loaded: Counts) => { created: number; changed: number }
  /** Does slow work before the transaction that loads the lines. */
  prepare?: (company: CompanyId, lines: readonly Line[]) => Promise<void>
  /** Counts at the start of an import, all zero. */
  none: Counts
  audit: AuditAction
}

const BATCH = 2000
const BREATH = 100
const MAX_STORED = 1000

export interface ImportDeps {
  db: Pick<Pools, 'app'>
  clock: Clock
  log: Pick<Log, 'info'>
}

/** Dependencies for loading the lines of a file. */
export type Loading = Pick<AppContext, 'inCompany' | 'clock'>

/**
 * Receives the result for some of the lines, in the transaction that loads them. `invalidRows` also includes lines that
 * could not be parsed.
 */
export type PartHandler<Loaded> = (tx: Tx, part: Loaded & { read: number }) => Promise<void>

/**
 * Loads a company's CSV file with 2,000 lines in each transaction, so that memory use stays constant. Reports invalid
 * lines. Loading the same file again changes nothing.
 * @throws FileRefused
 */
export async function importFile<Line, Counts extends Record<string, number>>(
  layout: Layout<Line, Counts>,
  { db, clock, log }: ImportDeps,
  subdomain: string,
  input: Readable,
): Promise<ImportResult<Counts>> {
  const company = await findCompanyId(outsideCompanies(db.app), subdomain)
  const inCompany = tenancyOn(db.app)
  const result = await withImportLock({ inCompany }, company, () =>
    loadFile(layout, { inCompany, clock }, company, input),
  )
  const { invalidRows: _, ...detail } = result
  const actor = { session: null, requestId: '', kind: 'system' } as const
  await inCompany(company, (tx) => auditCompany(tx, clock, company, actor, { action: layout.audit, detail }))
  log.info({ company, ...(detail as object) }, 'a file was imported')
  return result
}

export interface LoadOptions<Loaded> {
  each?: PartHandler<Loaded>
  /** Number of lines that an interrupted import already loaded. */
  skip?: number
  /** Starts the list of rows that a transaction creates and changes. Without it, the import can't be undone. */
  changesIn?: (tx: Tx) => Promise<ImportedRows>
  /**
   * Columns and corrected lines of the file. Without it, the portal uses the columns that it remembers, or the exact
   * names.
   */
  mapping?: FileMapping | null
}

/** Loads a file for a caller that holds the import lock and records the result. @throws FileRefused */
export async function loadFile<
  Line,
  Counts extends Record<string, number>,
  Loaded extends Counts & { invalidRows: InvalidRow[] },
>(
  layout: Layout<Line, Counts, Loaded>,
  { inCompany, clock }: Loading,
  company: CompanyId,
  input: Readable,
  { each = async () => {}, skip = 0, mapping = null, changesIn }: LoadOptions<Loaded> = {},
): Promise<ImportResult<Counts>> {
  const mappingOf = async (table: Table) =>
    mapping ?? (await inCompany(company, (tx) => completeMapping(tx, company, table))) ?? strictMappingOf(table)
  const counts: Record<string, number> = { ...layout.none }
  const summary = { read: skip, errorCount: 0, invalidRows: [] as InvalidRow[] }
  for await (const { lines, invalidRows: unread, read, titled } of oneAhead(
    batches(layout, input, mappingOf, { skip, sheet: mapping?.sheet ?? '', isOfStaff: mapping !== null }),
  )) {
    await layout.prepare?.(company, lines)
    const part = await inCompany(company, async (tx) => {
      const changes = (await changesIn?.(tx)) ?? ImportedRows.none
      await layout.keep?.(changes, lines)
      const loaded = await layout.load(tx, company, lines, clock.now())
      await layout.note?.(changes, lines)
      await changes.end(layout.countOf?.(loaded) ?? { created: 0, changed: 0 })
      const invalidRows = [...unread, ...loaded.invalidRows]
        .map((row) => ({ ...row, reason: titled(row.reason) }))
        .toSorted((a, b) => a.line - b.line)
      const all = { ...loaded, invalidRows, read }
      await each(tx, all)
      return all
    })
    summary.read += read
    for (const name of Object.keys(counts)) counts[name] = (counts[name] ?? 0) + (part[name] as number)
    summary.errorCount += part.invalidRows.length
    const stored = part.invalidRows.slice(0, MAX_STORED - summary.invalidRows.length)
    summary.invalidRows.push(...stored.map(({ line: at, reason }) => ({ line: at, reason })))
  }
  return { ...(counts as Counts), ...summary }
}

const counted = (n: number, one: string) => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`

/** Summarizes an import as text for the command line, with invalid lines first. `loaded` describes the loaded rows. */
export function describeFile(
  { invalidRows, errorCount, read }: ImportResult<object>,
  loaded: (count: typeof counted) => readonly string[],
): string[] {
  const more = errorCount - invalidRows.length
  return [
    ...invalidRows.map(({ line, reason }) => `line ${line}: ${reason}`),
    ...(more > 0 ? [`and ${more.toLocaleString('en-US')} more lines with errors`] : []),
    `${counted(read, 'line')} read, ${errorCount.toLocaleString('en-US')} with errors.`,
    ...loaded(counted),
  ]
}

/**
 * Finds a company by its subdomain.
 * @throws FileRefused if the company does not exist
 */
export async function findCompanyId(outside: AppContext['outside'], subdomain: string): Promise<CompanyId> {
  const row = await outside((tx) =>
    tx
      .selectFrom('company')
      .select('id')
      .where(tx.fn<string>('lower', ['subdomain']), '=', subdomain.trim().toLowerCase())
      .executeTakeFirst(),
  )
  if (!row) throw new FileRefused(`No municipality has the subdomain "${subdomain}".`)
  return companyIdFrom('import', row.id)
}

interface Batch<Line> {
  lines: Line[]
  invalidRows: InvalidRow[]
  read: number
  /** Rewrites a reason with the titles of the columns. */
  titled: (reason: string) => string
}

/** Reads the file in batches, after the skipped lines. */
async function* batches<Line>(
  layout: Pick<Layout<Line, never>, 'columns' | 'lineReader'>,
  input: Readable,
  mappingOf: (table: Table) => Promise<FileMapping>,
  { skip, sheet, isOfStaff }: { skip: number; sheet: string; isOfStaff: boolean },
): AsyncGenerator<Batch<Line>> {
  const table = await openSheet(input, sheet, ...layout.columns)
  try {
    const mapping = await mappingOf(table)
    const titled = isOfStaff ? titledIn(table, mapping) : (reason: string) => reason
    const empty = (): Batch<Line> => ({ lines: [], invalidRows: [], read: 0, titled })
    const readLine = layout.lineReader({ ...table, mapping })
    let batch = empty()
    let left = skip
    for await (const row of table.rows(mapping)) {
      if (left > 0) {
        left -= 1
        continue
      }
      batch.read += 1
      // Yields to the event loop, because long parsing would delay database responses and other requests.
      if (batch.read % BREATH === 0) await setImmediate()
      try {
        if (row.reason) throw new LineError(row.reason)
        batch.lines.push(readLine(getterOf(row, table.width), row.line))
      } catch (error) {
        if (!(error instanceof LineError)) throw error
        batch.invalidRows.push({ line: row.line, reason: error.message, ...namedBy(row.texts) })
      }
      if (batch.read === BATCH) {
        yield batch
        batch = empty()
      }
    }
    if (batch.read > 0) yield batch
  } finally {
    await table.close()
  }
}

/**
 * Returns a function that names columns by their titles, as screens do. A column with our technical name as its
 * header keeps it. Quoted values stay as they are.
 */
function titledIn({ columns, headers }: Pick<Table, 'columns' | 'headers'>, mapping: ColumnMapping) {
  const exact = new Set(headers.filter((header, at) => header.trim() === mapping.columns[at]))
  const titleOf = (name: string) => (columns.columns[name] && !exact.has(name) ? titlesOf(columns, [name]) : name)
  return (reason: string): string => reason.replaceAll(/"[^"]*"|^[a-z]+(?= )|\b[a-z]+(?:_[a-z\d]+)+\b/g, titleOf)
}

const SEE_SAMPLE = 'The sample file in Billing Files shows all columns.'

/**
 * Maps the columns of a file that no person checks. Refuses unknown columns, so that a misspelled column is not lost.
 * @throws FileRefused
 */
function strictMappingOf({ columns, headers }: Pick<Table, 'columns' | 'headers'>): ColumnMapping {
  const mapping = exactMapping(columns, headers)
  const keys = headers.map(columnKey)
  const unnamed = keys.indexOf('')
  if (unnamed >= 0) throw new FileRefused(`Column ${unnamed + 1} of the header has no name.`)
  const names = keys.map((key) => columns.names.get(key) ?? key)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new FileRefused(`The header has the column ${twice} twice.`)
  const missing = missingIn(columns, mapping)
  if (missing.length === columns.needs.length)
    throw new FileRefused(`The first line must contain the column names. ${SEE_SAMPLE}`)
  if (missing.length > 0) throw new FileRefused(`Columns missing from the header: ${missing.join(', ')}. ${SEE_SAMPLE}`)
  const strange = keys.filter((_, at) => mapping.columns[at] === '')
  if (strange.length > 0) throw new FileRefused(`Unknown columns in the header: ${strange.join(', ')}. ${SEE_SAMPLE}`)
  return mapping
}

/** Returns the identifiers of a line that cannot be parsed, if the identifiers are readable. */
function namedBy(texts: ReadonlyMap<string, string>): Pick<InvalidRow, 'account' | 'customer' | 'bill'> {
  const cell = (name: string) =>
    (texts.get(name) ?? '')
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 100)
  return { account: cell('account_number'), customer: cell('customer_name'), bill: cell('bill_number') }
}

/** Returns the remembered columns of a file if no value is missing. */
async function completeMapping(tx: Tx, company: CompanyId, table: Table): Promise<ColumnMapping | null> {
  const mapping = await rememberedMapping(tx, company, table)
  return mapping && unmappedIn(table.columns, mapping).length === 0 ? mapping : null
}

/** Prepares the next batch while the current batch loads. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let coming = source.next()
  try {
    for (;;) {
      const { done, value } = await coming
      if (done) return
      coming = source.next()
      // Prevents an unhandled rejection. Awaiting the batch throws the error later.
      coming.catch(() => {})
      yield value
    }
  } finally {
    await source.return(undefined)
  }
}
