import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../server/clock.ts'
import { csvRecords, FileRefused, NOT_UTF8 } from '../../../server/csv-records.ts'
import type { Pools } from '../../../server/db/pool.ts'
import type { House } from '../../../server/house.ts'
import type { Log } from '../../../server/log.ts'
import {
  type CompanyId,
  companyIdFrom,
  type InCompany,
  outsideCompanies,
  tenancyOn,
  type Tx,
} from '../../../server/tenancy.ts'
import { aloneInTown } from './alone-in-town.ts'
import { type Columns, readBill, type ReadBill, readHeader, WrongLine } from './bill-layout.ts'
import { type Counts, type Loaded, loadBills, type Wrong } from './load-bills.ts'
import { copyWhatIsThere, pretend } from './pretended-tables.ts'

export interface ImportResult extends Counts {
  /** Lines with a bill, right or wrong. */
  read: number
  /** How many lines were refused; `wrong` keeps the first thousand of them. */
  wrongCount: number
  wrong: Wrong[]
}

/** What some lines of a file came to; `wrong` also has those that could not be read. */
export interface Part extends Loaded {
  read: number
}

/** Hears of each part in the transaction that loads it. */
export type Each = (tx: Tx, part: Part) => Promise<void>

const BATCH = 2000
const BREATH = 100
const MOST_KEPT = 1000

export interface Means {
  inCompany: InCompany
  clock: Clock
}

/**
 * Loads utility accounts and bills of a town from a CSV (docs/import-bills.md), 2,000 lines a transaction, so that
 * memory stays flat. Wrong lines are reported, the rest is loaded. The same file again changes nothing.
 * @throws FileRefused
 */
export async function importBills(
  { db, clock, log }: { db: Pick<Pools, 'app'>; clock: Clock; log: Pick<Log, 'info'> },
  subdomain: string,
  input: Readable,
): Promise<ImportResult> {
  const company = await townOf(outsideCompanies(db.app), subdomain)
  const means = { inCompany: tenancyOn(db.app), clock }
  const result = await aloneInTown(means, company, () => loadFile(means, company, input))
  const { wrong: _, ...counts } = result
  log.info({ company, ...counts }, 'bills imported')
  return result
}

/**
 * The same for who is alone in the town already. `skip`: so many lines were loaded before, by an import that was cut off.
 * @throws FileRefused
 */
export async function loadFile(
  means: Means,
  company: CompanyId,
  input: Readable,
  each: Each = async () => {},
  skip = 0,
): Promise<ImportResult> {
  return addUp(input, skip, (batch) =>
    means.inCompany(company, async (tx) => {
      const part = partOf(batch, await loadBills(tx, company, batch.bills, means.clock.now()))
      await each(tx, part)
      return part
    }),
  )
}

/**
 * Says what a file would change, and changes nothing: what loads it works on tables of this transaction's own, which begin
 * as copies of what the file names. No account is locked meanwhile, so nobody who pays has to wait.
 * @throws FileRefused
 */
export const rehearseFile = (means: Means, company: CompanyId, input: Readable, each: Each): Promise<ImportResult> =>
  means.inCompany(company, async (tx) => {
    await pretend(tx)
    return addUp(input, 0, async (batch) => {
      await copyWhatIsThere(tx, company, batch.bills)
      const part = partOf(batch, await loadBills(tx, company, batch.bills, means.clock.now()))
      await each(tx, part)
      return part
    })
  })

export const COUNTS = [
  'accountsCreated',
  'accountsUpdated',
  'billsCreated',
  'billsChanged',
  'billsUnchanged',
  'billedCents',
  'receivedCents',
] as const

const partOf = ({ read, wrong }: Batch, loaded: Loaded): Part => ({
  ...loaded,
  read,
  wrong: [...wrong, ...loaded.wrong].toSorted((a, b) => a.line - b.line),
})

async function addUp(input: Readable, skip: number, load: (batch: Batch) => Promise<Part>): Promise<ImportResult> {
  const result: ImportResult = {
    read: skip,
    accountsCreated: 0,
    accountsUpdated: 0,
    billsCreated: 0,
    billsChanged: 0,
    billsUnchanged: 0,
    billedCents: 0,
    receivedCents: 0,
    wrongCount: 0,
    wrong: [],
  }
  for await (const batch of oneAhead(batches(input, skip))) {
    const part = await load(batch)
    result.read += part.read
    for (const count of COUNTS) result[count] += part[count]
    result.wrongCount += part.wrong.length
    result.wrong.push(...part.wrong.slice(0, MOST_KEPT - result.wrong.length))
  }
  return result
}

/** An import in a few lines, for the command line and for the report beside a file. */
export function describeImport(result: ImportResult): string[] {
  const count = (n: number, one: string) => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`
  const shown = result.wrong.map(({ line, reason }) => `line ${line}: ${reason}`)
  const more = result.wrongCount - shown.length
  return [
    ...shown,
    ...(more > 0 ? [`and ${more.toLocaleString('en-US')} more wrong lines`] : []),
    `${count(result.read, 'line')} read, ${result.wrongCount.toLocaleString('en-US')} wrong.`,
    `${count(result.billsCreated, 'bill')} new, ${result.billsChanged} with another amount paid, ${result.billsUnchanged} unchanged.`,
    `${count(result.accountsCreated, 'account')} new, ${result.accountsUpdated} updated.`,
  ]
}

/** @throws FileRefused where there is no such town */
export async function townOf(outside: House['outside'], subdomain: string): Promise<CompanyId> {
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

interface Batch {
  bills: ReadBill[]
  wrong: Wrong[]
  read: number
}

/** Reads the file a batch at a time, from after the lines that are skipped. */
async function* batches(input: Readable, skip: number): AsyncGenerator<Batch> {
  const empty = (): Batch => ({ bills: [], wrong: [], read: 0 })
  let columns: Columns | null = null
  let batch = empty()
  let left = skip
  for await (const { cells, line, reason } of csvRecords(input)) {
    if (!columns) {
      const header = reason ?? readHeader(cells)
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
      batch.bills.push(readBill(cells, columns, line))
    } catch (error) {
      if (!(error instanceof WrongLine)) throw error
      batch.wrong.push({ line, reason: error.message })
    }
    if (batch.read === BATCH) {
      yield batch
      batch = empty()
    }
  }
  if (!columns) throw new FileRefused('The file is empty.')
  if (batch.read > 0) yield batch
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
