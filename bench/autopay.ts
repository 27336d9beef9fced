import { runAutopay } from '../features/autopay/server/run.ts'
import { provideInstead } from '../features/payments/server/providers/providers.ts'
import { enrollMany, fromThatMorning } from '../test/autopay-company.ts'
import type { TestDatabase } from '../test/databases.ts'
import { ProviderModel } from '../test/provider-model.ts'
import { rateRow, type Row, timed } from './measure.ts'
import { noting, replay, type Statement } from '../test/noting.ts'
import { type BenchPortal, openPortal, type BenchEnvironment, plain } from './environment.ts'

const ACCOUNTS = 200

/** Compares an AutoPay run, including all its database work, with a plain replay of the same SQL statements. */
export async function autopay(environment: BenchEnvironment): Promise<Row[]> {
  const template = await environment.database()
  const { rows } = await template.owner.query<{ id: number }>('SELECT id FROM company')
  await enrollMany(template.owner, rows[0]?.id ?? 0, ACCOUNTS)
  await Promise.all([template.pools.close(), template.owner.end()])
  const statements: Statement[] = []
  const alone = await ran(environment, await environment.copyOf(template), 1, statements)
  const crowd = await ran(environment, await environment.copyOf(template), undefined)
  const client = await plain(await environment.copyOf(template))
  const baseline = await timed(() => replay(client, statements))
  await client.end()
  const count = Math.round(statements.length / ACCOUNTS)
  return [
    rateRow(`AutoPay, one at a time (${count} statements each)`, ACCOUNTS, { ours: alone, baseline }, 0.7),
    rateRow('AutoPay as it runs, against one by hand', ACCOUNTS, { ours: crowd, baseline }, 0.7),
  ]
}

/** Measures an AutoPay run with an in-memory provider. Records its SQL statements in `noted`, if given. */
async function ran(
  environment: BenchEnvironment,
  database: TestDatabase,
  lanes: number | undefined,
  noted?: Statement[],
) {
  const portal: BenchPortal = await openPortal(database, environment.folder)
  const provider = new ProviderModel()
  const { rows } = await database.owner.query<{ provider_method: string }>('SELECT provider_method FROM stored_method')
  for (const { provider_method } of rows) provider.store('ok', provider_method)
  provideInstead(portal.config, provider)
  const context = { ...portal.context, clock: fromThatMorning() }
  const stop = noted ? noting(database.pools.app, noted) : () => {}
  let charged = 0
  const time = await timed(async () => {
    charged = (await runAutopay(context, lanes === undefined ? {} : { lanes })).charged
  })
  stop()
  if (charged !== ACCOUNTS) throw new Error(`${charged} of ${ACCOUNTS} accounts were charged`)
  await portal.close()
  return time
}
