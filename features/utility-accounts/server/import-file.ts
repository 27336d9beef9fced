import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { auditCompany } from '../../../server/audit.ts'
import type { Clock } from '../../../server/clock.ts'
import { csvRecords, FileRefused, NOT_UTF8 } from '../../../server/csv-records.ts'
import type { Pools } from '../../../server/db/pool.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Log } from '../../../server/log.ts'
import { type CompanyId, companyIdFrom, outsideCompanies, tenancyOn, type Tx } from '../../../server/tenancy.ts'
import type { AuditAction } from '../../../shared/audit-actions.ts'
import { aloneInTown } from './alone-in-town.ts'
import { type Columns, WrongLine } from './csv-cells.ts'

export interface InvalidRow {
  line: number
  reason: string
  /** What the line says of itself, so that staff find it in their billing system; '' if it does not say it. */
  account?: string
  customer?: string
  bill?: string
}

/** What became of a file: its lines, and the counts of what was loaded. */
export type ImportResult<Counts> = Counts & {
  /** Lines that hold something, right or wrong. */
  read: number
  /** How many lines were refused; `wrong` keeps the first thousand of them. */
  wrongCount: number
  wrong: InvalidRow[]
}

/** A kind of file that a billing system sends: how its lines are read, and how some of them are loaded at once. */
export interface Layout<
  Line,
  Counts extends Record<string, number>,
  Loaded extends Counts & { wrong: InvalidRow[] } = Counts & { wrong: InvalidRow[] },
> {
  /** Where each column is, or the one sentence that says what is wrong with the header. */
  readHeader(cells: readonly string[]): Columns | string
  /** @throws WrongLine */
  readLine(cells: readonly string[], columns: Columns, line: number): Line
  load(tx: Tx, company: CompanyId, lines: readonly Line[], now: Date): Promise<Loaded>
  /** What takes its time is done before the transaction in which the lines are loaded. */
  prepare?: (company: CompanyId, lines: readonly Line[]) => Promise<void>
  /** Each count, at its beginning. */
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

/** What loads the lines of a file. */
export type Loading = Pick<AppContext, 'inCompany' | 'clock'>

/** What some lines came to; `wrong` also has those that could not be read. Heard of in the transaction that loads them. */
export type PartHandler<Loaded> = (tx: Tx, part: Loaded & { read: number }) => Promise<void>

/**
 * Loads a town's CSV, 2,000 lines a transaction, so that memory stays flat. Wrong lines are reported, the rest is loaded.
 * The same file again changes nothing.
 * @throws FileRefused
 */
export async function importFile<Line, Counts extends Record<string, number>>(
  layout: Layout<Line, Counts>,
  { db, clock, log }: ImportDeps,
  subdomain: string,
  input: Readable,
): Promise<ImportResult<Counts>> {
  const company = await townOf(outsideCompanies(db.app), subdomain)
  const inCompany = tenancyOn(db.app)
  const result = await aloneInTown({ inCompany }, company, () => loadFile(layout, { inCompany, clock }, company, input))
  const { wrong: _, ...detail } = result
  const actor = { session: null, requestId: '', kind: 'system' } as const
  await inCompany(company, (tx) => auditCompany(tx, clock, company, actor, { action: layout.audit, detail }))
  log.info({ company, ...(detail as object) }, 'a file was imported')
  return result
}

/**
 * The same for who is alone in the town already and writes down by itself what came of it. `skip`: so many lines were
 * loaded before, by an import that was cut off.
 * @throws FileRefused
 */
export async function loadFile<
  Line,
  Counts extends Record<string, number>,
  Loaded extends Counts & { wrong: InvalidRow[] },
>(
  layout: Layout<Line, Counts, Loaded>,
  { inCompany, clock }: Loading,
  company: CompanyId,
  input: Readable,
  { each = async () => {}, skip = 0 }: { each?: PartHandler<Loaded>; skip?: number } = {},
): Promise<ImportResult<Counts>> {
  const counts: Record<string, number> = { ...layout.none }
  const told = { read: skip, wrongCount: 0, wrong: [] as InvalidRow[] }
  for await (const { lines, wrong: unread, read } of oneAhead(batches(layout, input, skip))) {
    await layout.prepare?.(company, lines)
    const part = await inCompany(company, async (tx) => {
      const loaded = await layout.load(tx, company, lines, clock.now())
      const wrong = [...unread, ...loaded.wrong].toSorted((a, b) => a.line - b.line)
      const all = { ...loaded, wrong, read }
      await each(tx, all)
      return all
    })
    told.read += read
    for (const name of Object.keys(counts)) counts[name] = (counts[name] ?? 0) + (part[name] as number)
    told.wrongCount += part.wrong.length
    const kept = part.wrong.slice(0, MAX_STORED - told.wrong.length)
    told.wrong.push(...kept.map(({ line: at, reason }) => ({ line: at, reason })))
  }
  return { ...(counts as Counts), ...told }
}

const counted = (n: number, one: string) => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`

/** An import in a few lines, for the command line: the wrong lines first. `loaded` says what came of the others. */
export function describeFile(
  { wrong, wrongCount, read }: ImportResult<object>,
  loaded: (count: typeof counted) => readonly string[],
): string[] {
  const more = wrongCount - wrong.length
  return [
    ...wrong.map(({ line, reason }) => `line ${line}: ${reason}`),
    ...(more > 0 ? [`and ${more.toLocaleString('en-US')} more wrong lines`] : []),
    `${counted(read, 'line')} read, ${wrongCount.toLocaleString('en-US')} wrong.`,
    ...loaded(counted),
  ]
}

/** @throws FileRefused where there is no such town */
export async function townOf(outside: AppContext['outside'], subdomain: string): Promise<CompanyId> {
  const row = await outside((tx) =>
    tx
      .selectFrom('company')
      .select('id')
      .where(tx.fn<string>('lower', ['subdomain']), '=', subdomain.trim().toLowerCase())
      .executeTakeFirst(),
  )
  if (!row) throw new FileRefused(`There is no municipality with the subdomain "${subdomain}".`)
  return companyIdFrom('import', row.id)
}

interface Batch<Line> {
  lines: Line[]
  wrong: InvalidRow[]
  read: number
}

/** Reads the file a batch at a time, from after the lines that are skipped. */
async function* batches<Line>(
  layout: Pick<Layout<Line, never>, 'readHeader' | 'readLine'>,
  input: Readable,
  skip: number,
): AsyncGenerator<Batch<Line>> {
  const empty = (): Batch<Line> => ({ lines: [], wrong: [], read: 0 })
  let columns: Columns | null = null
  let batch = empty()
  let left = skip
  for await (const { cells, line, reason } of csvRecords(input)) {
    if (!columns) {
      const header = reason ?? layout.readHeader(cells)
      if (typeof header === 'string')
        throw new FileRefused(cells.some((cell) => /[\uFFFD\0]/.test(cell)) ? NOT_UTF8 : header)
      columns = header
      continue
    }
    if (left > 0) {
      left -= 1
      continue
    }
    batch.read += 1
    // Reading is quick enough to keep everything else waiting: the database's answers, and the portal's callers.
    if (batch.read % BREATH === 0) await setImmediate()
    try {
      if (reason) throw new WrongLine(reason)
      batch.lines.push(layout.readLine(cells, columns, line))
    } catch (error) {
      if (!(error instanceof WrongLine)) throw error
      batch.wrong.push({ line, reason: error.message, ...namedBy(cells, columns) })
    }
    if (batch.read === BATCH) {
      yield batch
      batch = empty()
    }
  }
  if (!columns) throw new FileRefused('The file is empty.')
  if (batch.read > 0) yield batch
}

/** Whose line it is, as far as a line says that can't be read. */
function namedBy(cells: readonly string[], columns: Columns): Pick<InvalidRow, 'account' | 'customer' | 'bill'> {
  const cell = (name: string) =>
    (cells[columns.get(name) ?? -1] ?? '')
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 100)
  return { account: cell('account_number'), customer: cell('customer_name'), bill: cell('bill_number') }
}

/**
 * Reads the beginning of a file, to say at once that it is of another kind.
 * @throws FileRefused for a file that is empty or whose first line is not this layout's header
 */
export async function expectLayout<Line>(
  layout: Pick<Layout<Line, never>, 'readHeader' | 'readLine'>,
  input: Readable,
): Promise<void> {
  for await (const _ of batches(layout, input, 0)) return
}

/** Makes the next batch while this one is being loaded. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let coming = source.next()
  try {
    for (;;) {
      const { done, value } = await coming
      if (done) return
      coming = source.next()
      // Its failure is told when its turn comes.
      coming.catch(() => {})
      yield value
    }
  } finally {
    await source.return(undefined)
  }
}
