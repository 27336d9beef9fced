import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { addDays } from '../shared/dates.ts'
import { addTestPlatformStaff } from '../test/company.ts'
import { inTurns, p95, type Row, timeRow } from './measure.ts'
import { noting, replay, type Statement } from '../test/noting.ts'
import { type BenchPortal, openPortal, type BenchEnvironment, plain } from './environment.ts'
import { fillPlatform } from './rows.ts'

const SIZE = { companies: 2000, residents: 100, items: 40 }
/** Number of different queries of each type, and number of iterations. */
const [QUESTIONS, ITERATIONS] = [40, 200]
const ADMIN = { host: 'admin.localhost' }

interface Kind {
  what: string
  path: string
  body: (n: number) => object
  /** Matches the SQL statements of the call itself. Excludes those of the session and the audit log. */
  own: RegExp
}

const lookedUp = (what: string, filters: (n: number) => object): Kind => ({
  what: `look-up by ${what}`,
  path: 'admin/look/up/customers',
  body: (n) => ({ filters: filters(n) }),
  own: /WITH matches/,
})
const listed = (what: string, queryParams: (n: number) => object): Kind => ({
  what: `company list, ${what}`,
  path: 'admin/return/companys/information',
  body: (n) => ({ queryParams: queryParams(n) }),
  own: /\bcompany\b/i,
})

const today = new Date().toISOString().slice(0, 10)
const calendar = (what: string, body: (n: number) => object): Kind => ({
  what: `master calendar, ${what}`,
  path: 'admin/return/master/calendar',
  body: (n) => ({ fromDate: today, toDate: addDays(today, 13), ...body(n) }),
  own: /scheduled_item/,
})

const kinds: readonly Kind[] = [
  listed('first page', () => ({})),
  listed('a part of a name', (n) => ({ companyName: `s ${100 + n}` })),
  listed('words of anything', (n) => ({ search: `bench${n} main` })),
  lookedUp('name', (n) => ({ name: ['ada lo', 'mary', 'ann b', 'john s'][n % 4] })),
  lookedUp('email', (n) => ({ email: `p${20 + n}.1` })),
  lookedUp('service address', (n) => ({ serviceAddress: `${100 + n} m` })),
  lookedUp('phone', (n) => ({ phone: `717-00${10 + n}` })),
  lookedUp('account number', (n) => ({ accountNumber: `a10${10 + n}` })),
  lookedUp('name, profiles without an account', (n) => ({ profiles: true, name: ['mary', 'ann', 'john'][n % 3] })),
  calendar('two weeks', () => ({})),
  calendar('two weeks of a type and status', (n) => ({ filters: { eventType: 1 + (n % 4), status: 'in_progress' } })),
  calendar('two weeks of one town', (n) => ({ filters: { company: 100_001 + n } })),
  {
    ...{ what: 'master calendar, the list of a day', path: 'admin/return/master/calendar/day', own: /scheduled_item/ },
    body: (n) => ({ filters: { day: addDays(today, n % 14) } }),
  },
]

/**
 * Times the platform's calls over 2,000 companies with 200,000 residents, 180,000 accounts and 80,000 scheduled items.
 * Compares the p95 with the same statements on one connection, without HTTP, session and audit log.
 */
export async function platform(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  await fillPlatform(database.owner, SIZE)
  await addTestPlatformStaff({ db: database.pools, clock: { now: () => new Date() } })
  const portal = await openPortal(database, environment.folder)
  const client = await plain(database, 'platform')
  const headers = await superAdministrator(portal)
  const rows: Row[] = []
  for (const { what, path, body, own } of kinds) {
    const questions: Statement[][] = []
    for (let n = 0; n < QUESTIONS; n++) {
      const all: Statement[] = []
      const stop = noting(database.pools.platform, all)
      await portal.post(path, body(n), headers)
      stop()
      questions.push([
        { text: 'BEGIN', values: [] },
        ...all.filter(({ text }) => own.test(text)),
        { text: 'COMMIT', values: [] },
      ])
    }
    if (questions.some(({ length }) => length < 3)) throw new Error(`${path}: no statement of its own was seen`)
    const times = await inTurns(
      ITERATIONS,
      (iteration) => portal.post(path, body(iteration % QUESTIONS), headers),
      (iteration) => replay(client, questions[iteration % QUESTIONS] ?? []),
      p95,
    )
    rows.push(timeRow(`${what}, over 2,000 towns (p95)`, times, 2))
  }
  await client.end()
  await portal.close()
  await database.drop()
  return rows
}

async function superAdministrator(portal: BenchPortal): Promise<Record<string, string>> {
  const body = { email: 'super@mainstreet.example', password: DEMO_PASSWORD }
  const { token } = await portal.post<{ token: string }>('admin/login', body, ADMIN)
  return { ...ADMIN, authorization: `Bearer ${token}` }
}
