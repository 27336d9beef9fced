import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { firstNames, lastNames } from '../database/names.ts'
import { nearestAddress } from '../server/places/at-point.ts'
import { importPlaces } from '../server/places/import.ts'
import { searchAddresses } from '../server/places/search.ts'
import { streetKey } from '../server/places/words.ts'
import { companyIdFrom, tenancyOn, type Tx } from '../server/tenancy.ts'
import { inTurns, p95, type Row, timeRow } from './measure.ts'
import type { BenchEnvironment } from './environment.ts'

const [STREETS, HOUSES, ITERATIONS] = [3000, 67, 200]
const kinds = ['Street', 'Avenue', 'Road', 'Lane', 'Drive', 'Court']
/** Returns one of 3,000 different street names, such as 'Ada Abbott Lane'. */
const streetOf = (n: number) =>
  `${firstNames[n % firstNames.length]} ${lastNames[(n * 7 + Math.floor(n / firstNames.length)) % lastNames.length]} ${kinds[n % kinds.length]}`
const numberOf = (n: number) => 1 + (n % HOUSES) * 2

function* lines(): Generator<string> {
  yield 'number,street,zip,lat,lon\n'
  for (let n = 0; n < STREETS; n += 1) {
    const rows = Array.from({ length: HOUSES }, (_, at) => {
      const [lat, lon] = [40 + (n % 60) / 400 + at / 100_000, -77 + Math.floor(n / 60) / 400 + at / 90_000]
      return `${numberOf(at)},${streetOf(n)},17011,${lat.toFixed(6)},${lon.toFixed(6)}`
    })
    yield `${rows.join('\n')}\n`
  }
}

/** Swaps two letters in the longest word, a common typing error. */
const mistyped = (street: string) => street.toLowerCase().replace(/(\w{3})(\w)(\w)(\w*) (\w+)$/, '$1$3$2$4')

/**
 * Times address search in a company with 200,000 addresses on 3,000 streets. Compares the p95 with the statement that
 * finds the same address by its exact street and number.
 */
export async function places(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const inCompany = tenancyOn(database.pools.app)
  const { rows: companies } = await database.owner.query<{ id: number }>(
    `SELECT id FROM company WHERE subdomain = 'maplegrove'`,
  )
  const company = companyIdFrom('import', companies[0]?.id ?? 0)
  const clock = { now: () => new Date() }
  const actor = { session: null, requestId: '', kind: 'system' } as const
  const file = Readable.from(
    (function* () {
      for (const line of lines()) yield Buffer.from(line)
    })(),
  )
  const importInput = { kind: 'addresses', file, mode: 'import', rowErrors: 'refuse' } as const
  const { created } = await importPlaces({ inCompany, clock }, company, actor, importInput)
  if (created !== STREETS * HOUSES) throw new Error(`${created} addresses were made`)
  await database.owner.query('VACUUM (ANALYZE) street, address')
  const streetIndexAt = (iteration: number) => (iteration * 7919) % STREETS
  const findAddress = (tx: Tx, iteration: number) =>
    sql`
    SELECT a.id FROM street s JOIN address a ON a.company_id = s.company_id AND a.street_id = s.id
    WHERE s.company_id = ${company} AND s.name_key = ${streetKey(streetOf(streetIndexAt(iteration)))} AND a.number = ${numberOf(iteration)}`.execute(
      tx,
    )
  const beside = async (what: string, typed: (iteration: number) => string) =>
    timeRow(
      `search of 200,000 addresses, ${what}`,
      await inTurns(
        ITERATIONS,
        (iteration) => inCompany(company, (tx) => searchAddresses(tx, company, typed(iteration))),
        (iteration) => inCompany(company, (tx) => findAddress(tx, iteration)),
        p95,
      ),
      null,
    )
  const whole = (iteration: number) => `${numberOf(iteration)} ${streetOf(streetIndexAt(iteration))}`
  const at = (iteration: number) => ({ x: (iteration % 40) * 100, y: (iteration % 30) * 200 })
  return [
    await beside('as it is written', whole),
    await beside('with two letters changed about', (iteration) => mistyped(whole(iteration))),
    await beside('while it is typed', (iteration) => whole(iteration).slice(0, 9)),
    timeRow(
      'nearest of 200,000 addresses, against one by its key',
      await inTurns(
        ITERATIONS,
        (iteration) => inCompany(company, (tx) => nearestAddress(tx, company, at(iteration))),
        (iteration) => inCompany(company, (tx) => findAddress(tx, iteration)),
        p95,
      ),
      null,
    ),
  ]
}
