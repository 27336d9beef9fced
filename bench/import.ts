import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import { openLog } from '../server/log.ts'
import { rateRow, type Row } from './measure.ts'
import type { Place } from './place.ts'

const BILLS = 200_000
const HEAD =
  'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1,service_2,amount_2'

/** The file, made as it is read, so that its size is not in anybody's memory. */
function* lines(): Generator<string> {
  yield `${HEAD}\n`
  for (let n = 0; n < BILLS; n++)
    yield `5${n},Customer ${n},${n} Elm Street,Maple Grove,PA,17011,F${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,${40 + (n % 60)}.25,Sewer,31.10\n`
}

/** The import of 200,000 bills with as many accounts, against COPY of the same lines into a table of text. */
export async function imports(place: Place): Promise<Row[]> {
  const database = await place.database()
  const { log } = openLog({ logLevel: 'silent' })
  const before = process.memoryUsage().rss
  let largest = before
  const watch = setInterval(() => (largest = Math.max(largest, process.memoryUsage().rss)), 100)
  const from = performance.now()
  const clock = { now: () => new Date() }
  const { billsCreated } = await importBills({ db: database.pools, clock, log }, 'maplegrove', Readable.from(lines()))
  const ours = performance.now() - from
  clearInterval(watch)
  if (billsCreated !== BILLS) throw new Error(`${billsCreated} bills were made`)

  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query(
    `CREATE TABLE bench_lines (${HEAD.split(',')
      .map((name) => `${name} text`)
      .join(', ')})`,
  )
  const start = performance.now()
  await pipeline(Readable.from(lines()), owner.query(copyFrom('COPY bench_lines FROM STDIN WITH (FORMAT csv, HEADER)')))
  const baseline = performance.now() - start
  await owner.end()
  await database.drop()
  const grown = Math.round((largest - before) / 1_000_000)
  return [rateRow(`import of 200,000 bills, lines (memory grew by ${grown} MB)`, BILLS, { ours, baseline }, 0.3)]
}
