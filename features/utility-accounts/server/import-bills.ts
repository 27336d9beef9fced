import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { auditIn } from '../../../server/audit.ts'
import type { Clock } from '../../../server/clock.ts'
import { csvRecords, FileRefused, NOT_UTF8 } from '../../../server/csv-records.ts'
import type { Pools } from '../../../server/db/pool.ts'
import type { Log } from '../../../server/log.ts'
import { type CompanyId, companyIdFrom, outsideCompanies, tenancyOn } from '../../../server/tenancy.ts'
import { type Columns, readBill, type ReadBill, readHeader, WrongLine } from './bill-layout.ts'
import { type Loaded, loadBills, type Wrong } from './load-bills.ts'

export interface ImportResult extends Loaded {
  /** Lines with a bill, right or wrong. */
  read: number
  /** How many lines were refused; `wrong` keeps the first thousand of them. */
  wrongCount: number
}

const BATCH = 2000
const BREATH = 100
const MOST_KEPT = 1000

interface Means {
  db: Pick<Pools, 'app'>
  clock: Clock
  log: Pick<Log, 'info'>
}

/**
 * Loads utility accounts and bills of a town from a CSV (docs/import-bills.md), 2,000 lines a transaction, so that
 * memory stays flat. Wrong lines are reported, the rest is loaded. The same file again changes nothing.
 * @param onWrong hears of each wrong line as it is found
 * @throws FileRefused
 */
export async function importBills(
  means: Means,
  subdomain: string,
  input: Readable,
  onWrong: (wrong: Wrong) => void = () => {},
): Promise<ImportResult> {
  const company = await townOf(means, subdomain)
  const result: ImportResult = {
    read: 0,
    accountsCreated: 0,
    accountsUpdated: 0,
    billsCreated: 0,
    billsChanged: 0,
    billsUnchanged: 0,
    wrongCount: 0,
    wrong: [],
  }
  const report = (found: readonly Wrong[]) => {
    for (const wrong of found) {
      result.wrongCount += 1
      if (result.wrong.length < MOST_KEPT) result.wrong.push(wrong)
      onWrong(wrong)
    }
  }
  const inCompany = tenancyOn(means.db.app)
  for await (const { bills, wrong, read } of oneAhead(batches(input))) {
    const loaded = await inCompany(company, (tx) => loadBills(tx, company, bills, means.clock.now()))
    result.read += read
    for (const count of COUNTS) result[count] += loaded[count]
    report([...wrong, ...loaded.wrong].toSorted((a, b) => a.line - b.line))
  }
  const { wrong: _, ...counts } = result
  const doer = { session: null, requestId: '', kind: 'system' } as const
  await inCompany(company, (tx) =>
    auditIn(tx, means.clock, company, doer, { action: 'bills.imported', detail: counts }),
  )
  means.log.info({ company, ...counts }, 'bills imported')
  return result
}

const COUNTS = ['accountsCreated', 'accountsUpdated', 'billsCreated', 'billsChanged', 'billsUnchanged'] as const

/** An import in a few lines, for the command line. */
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

async function townOf(means: Means, subdomain: string): Promise<CompanyId> {
  const row = await outsideCompanies(means.db.app)((tx) =>
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

/** Reads the file a batch at a time. */
async function* batches(input: Readable): AsyncGenerator<Batch> {
  const empty = (): Batch => ({ bills: [], wrong: [], read: 0 })
  let columns: Columns | null = null
  let batch = empty()
  for await (const { cells, line, reason } of csvRecords(input)) {
    if (!columns) {
      const header = reason ?? readHeader(cells)
      if (typeof header === 'string')
        throw new FileRefused(cells.some((cell) => /[\uFFFD\0]/.test(cell)) ? NOT_UTF8 : header)
      columns = header
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
