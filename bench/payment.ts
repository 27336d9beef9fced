import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import { provideInstead } from '../features/payments/server/providers/providers.ts'
import { openLog } from '../server/log.ts'
import { ProviderModel } from '../test/provider-model.ts'
import { liftLimits, type TestDatabase } from '../test/databases.ts'
import { payBare, WRITTEN } from './bare-payment.ts'
import { rateRow, type Row } from './measure.ts'
import { noting, replay, type Statement } from '../test/noting.ts'
import { type BenchPortal, openPortal, type BenchEnvironment, plain } from './environment.ts'

const PAYMENTS = 400

/**
 * Times a guest's payment, including its database work. Compares it with the same statements, replayed by hand, and
 * with the fewest statements that write the same rows.
 */
export async function payment(environment: BenchEnvironment): Promise<Row[]> {
  const template = await environment.database()
  await bills(template)
  await liftLimits(template.owner)
  await Promise.all([template.pools.close(), template.owner.end()])
  const first = await payThroughPortal(environment, template)
  const crowd = await together(environment, template)
  const baseline = await replayed(environment, template, first.statements)
  const bare = await payWithFewestStatements(environment, template)
  const different = WRITTEN.filter((table) => first.rows[table] !== bare.rows[table])
  if (different.length > 0) throw new Error(`the bare payments wrote other rows: ${different.join(', ')}`)
  const [count, fewest] = [first.statements, bare.statements].map((sent) => sent.length / PAYMENTS)
  return [
    rateRow(`guest payments, one at a time (${count} statements each)`, PAYMENTS, { ours: first.time, baseline }, 0.7),
    rateRow('guest payments, 16 at once, against one by hand', PAYMENTS, { ours: crowd, baseline }, 0.7),
    {
      what: 'statements of a guest payment, against the fewest that write its rows',
      ours: String(count),
      baseline: String(fewest),
      ratio: (count ?? 0) / (fewest ?? 1),
      goal: { max: 30 / 9 },
    },
    rateRow(
      'guest payments, one at a time, against those fewest statements alone',
      PAYMENTS,
      { ours: first.time, baseline: bare.time },
      null,
    ),
  ]
}

async function rowsOf(database: TestDatabase): Promise<Record<string, number>> {
  const client = await plain(database, 'platform')
  const counts = WRITTEN.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
  const { rows } = await client.query<Record<string, number>>(`SELECT ${counts.join(', ')}`)
  await client.end()
  return rows[0] ?? {}
}

const newRows = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(WRITTEN.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]))

async function bills(database: TestDatabase): Promise<void> {
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = Array.from(
    { length: PAYMENTS + 1 },
    (_, n) =>
      `6${n},Ada Quill,${n} Elm Street,Maple Grove,PA,17011,G${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,100.00`,
  )
  const { log } = openLog({ logLevel: 'silent' })
  await importBills(
    { db: database.pools, clock: { now: () => new Date() }, log },
    'maplegrove',
    Readable.from([[head, ...lines].join('\n')]),
  )
}

interface Guest {
  pay(): Promise<unknown>
}

/** Prepares guests with an open bill, and an in-memory provider. */
async function guests(portal: BenchPortal): Promise<Guest[]> {
  const provider = new ProviderModel()
  provideInstead(portal.config, provider)
  const prepared: Guest[] = []
  for (let n = 0; n <= PAYMENTS; n++) {
    const { token } = await portal.post<{ token: string }>('find/guest/bill', { accountNumber: `6${n}`, zip: '17011' })
    const paymentRequest = {
      ...{ token, payType: 1, method: 1, billCents: 100_00, expectedTotalCents: 103_05 },
      ...{ email: 'ada@example.com', methodToken: provider.token('ok') },
    }
    const key = { 'idempotency-key': randomUUID() }
    prepared.push({ pay: () => portal.post('pay/guest/bill', paymentRequest, key) })
  }
  return prepared
}

interface PaymentSample {
  time: number
  statements: Statement[]
  rows: Record<string, number>
}

/** Runs the payments one after another and records the statements. The first payment is a warm-up for one-time work. */
async function payThroughPortal(environment: BenchEnvironment, template: TestDatabase): Promise<PaymentSample> {
  const database = await environment.copyOf(template)
  const portal = await openPortal(database, environment.folder)
  const [warm, ...rest] = await guests(portal)
  await warm?.pay()
  const before = await rowsOf(database)
  const statements: Statement[] = []
  const stop = noting(database.pools.app, statements)
  const from = performance.now()
  for (const guest of rest) await guest.pay()
  const time = performance.now() - from
  stop()
  const rows = newRows(before, await rowsOf(database))
  await portal.close()
  return { time, statements, rows }
}

/** Writes the same rows by hand, in the fewest statements. */
async function payWithFewestStatements(environment: BenchEnvironment, template: TestDatabase): Promise<PaymentSample> {
  const database = await environment.copyOf(template)
  const client = await plain(database)
  const { rows: companies } = await client.query<{ id: number }>(
    `SELECT id FROM company WHERE subdomain = 'maplegrove'`,
  )
  const company = companies[0]?.id ?? 0
  await payBare(client, company, 0)
  const before = await rowsOf(database)
  const statements: Statement[] = []
  const query = client.query.bind(client)
  client.query = ((text: string, values?: unknown[]) => {
    statements.push({ text, values: values ?? [] })
    return query(text, values)
  }) as typeof client.query
  const from = performance.now()
  for (let n = 1; n <= PAYMENTS; n++) await payBare(client, company, n)
  const time = performance.now() - from
  const rows = newRows(before, await rowsOf(database))
  await client.end()
  return { time, statements, rows }
}

async function together(environment: BenchEnvironment, template: TestDatabase): Promise<number> {
  const database = await environment.copyOf(template)
  const portal = await openPortal(database, environment.folder)
  const [warm, ...rest] = await guests(portal)
  await warm?.pay()
  const from = performance.now()
  const walk = rest.values()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const guest of walk) await guest.pay()
    }),
  )
  const time = performance.now() - from
  await portal.close()
  return time
}

/** Replays the same statements and values on one connection, one after another. */
async function replayed(
  environment: BenchEnvironment,
  template: TestDatabase,
  statements: readonly Statement[],
): Promise<number> {
  const database = await environment.copyOf(template)
  const portal = await openPortal(database, environment.folder)
  const [warm] = await guests(portal)
  await warm?.pay()
  await portal.close()
  const client = await plain(database)
  const from = performance.now()
  await replay(client, statements)
  const time = performance.now() - from
  await client.end()
  return time
}
