import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import { openLog } from '../server/log.ts'
import { rateRow, type Row, timed, watchMemory } from './measure.ts'
import type { BenchEnvironment } from './environment.ts'

/**
 * Numbers of imported bills, each for a separate account. Memory use must not grow with the number. Only the largest
 * import is compared with COPY.
 */
const SIZES = [10_000, 100_000, 1_000_000] as const
const BILLS = SIZES[2]
const HEAD =
  'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1,service_2,amount_2'

/** Generates the lines while they are read, so that the whole file is never in memory. */
function* lines(bills: number): Generator<string> {
  yield `${HEAD}\n`
  for (let n = 0; n < bills; n++)
    yield `5${n},Customer ${n},${n} Elm Street,Maple Grove,PA,17011,F${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,${40 + (n % 60)}.25,Sewer,31.10\n`
}

function* accountRows(company: number): Generator<string> {
  for (let n = 0; n < BILLS; n++)
    yield `${company},${n + 1},5${n},Customer ${n},"","",${n} Elm Street,Maple Grove,PA,17011,2026-11-01\n`
}

function* billRows(company: number): Generator<string> {
  const line = (service: string, cents: number) =>
    `{""service"":""${service}"",""description"":"""",""quantity"":null,""unit"":"""",""amountCents"":${cents}}`
  for (let n = 0; n < BILLS; n++)
    yield `${company},${n + 1},F${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,"[${line('Water', 4025 + (n % 60) * 100)},${line('Sewer', 3110)}]",${7135 + (n % 60) * 100}\n`
}

/**
 * Times the import of 1,000,000 bills with as many accounts, and measures memory use at three sizes. The first baseline
 * is COPY into the same two tables, with keys and indexes. The second is COPY into a plain text table, which shows the
 * cost of keys and indexes.
 */
export async function imports(environment: BenchEnvironment): Promise<Row[]> {
  const { log } = openLog({ logLevel: 'silent' })
  const clock = { now: () => new Date() }
  const memory = watchMemory()
  let ours = 0
  for (const bills of SIZES) {
    if (bills !== SIZES[0]) memory.mark()
    const database = await environment.database()
    ours = await timed(async () => {
      const source = Readable.from(lines(bills))
      const { billsCreated } = await importBills({ db: database.pools, clock, log }, 'maplegrove', source)
      if (billsCreated !== bills) throw new Error(`${billsCreated} bills were made`)
    })
    await database.drop()
  }
  const peaks = memory.stop()
  const copies = await environment.database()
  const owner = new pg.Client({ connectionString: copies.url })
  await owner.connect()
  const { rows } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const company = rows[0]?.id ?? 0
  const copy = (into: string, source: Iterable<string>) =>
    timed(() => pipeline(Readable.from(source), owner.query(copyFrom(`COPY ${into} FROM STDIN WITH (FORMAT csv)`))))
  const tables =
    (await copy(
      'utility_account (company_id, id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)',
      accountRows(company),
    )) +
    (await copy(
      'utility_bill (company_id, account_id, bill_number, bill_date, due_date, period_start, period_end, lines, amount_cents)',
      billRows(company),
    ))
  await owner.query(`CREATE TABLE bench_lines (${HEAD.replaceAll(/\w+/g, '$& text')})`)
  const text = await copy('bench_lines', lines(BILLS))
  await owner.end()
  await copies.drop()
  return [
    rateRow(
      `import of 1,000,000 bills and accounts, against COPY into the same tables (10,000, 100,000 and 1,000,000: ${peaks})`,
      BILLS,
      { ours, baseline: tables },
      0.3,
    ),
    rateRow('the same, against COPY into one table of text without keys', BILLS, { ours, baseline: text }, null),
  ]
}
