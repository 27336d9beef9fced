import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { addDays } from '../shared/dates.ts'
import { addTestPlatformStaff } from '../test/company.ts'
import { inTurns, rateRow, type Row, timed, timeRow } from './measure.ts'
import { type BenchPortal, staffHeaders, openPortal, type BenchEnvironment } from './environment.ts'
import { bigSize, demoSize, fillCompany, type CompanySize } from './rows.ts'

const ITERATIONS = 40
const ADMIN = 'admin.localhost'
const today = new Date().toISOString().slice(0, 10)
const year = { fromDate: addDays(today, -364), toDate: today }
const month = { fromDate: addDays(today, -29), toDate: today }

/** Maximum ratio between the call times of a large municipality and those of a municipality of the demo's size. */
const MAX_GROWTH = 3

interface Kind {
  what: string
  path: string
  body: object
  admin?: true
  /** True for totals that staff request with a button. Their cost grows with the number of matching rows. */
  onDemand?: true
}

const kinds: readonly Kind[] = [
  { what: 'profit report of a year', path: 'admin/return/profit/report', body: { filters: year }, admin: true },
  { what: 'merchant overview of a month', path: 'muni/return/merchant/overview', body: month },
  { what: 'merchant overview of a year', path: 'muni/return/merchant/overview', body: year },
  { what: 'Communication Report, all days, rows', path: 'muni/return/communication/report', body: { totals: false } },
  { what: 'the same, its totals', path: 'muni/return/communication/report', body: { pageSize: 1 } },
  {
    what: 'payments of one name in twenty, rows',
    path: 'muni/return/payment/transactions',
    body: { search: 'whitfield', totals: false },
  },
  {
    ...{ what: 'the same, their count', path: 'muni/return/payment/transactions' },
    body: { search: 'whitfield', pageSize: 1 },
  },
  {
    ...{ what: 'the same, all totals by a press', path: 'muni/return/payment/transactions', onDemand: true as const },
    body: { search: 'whitfield', pageSize: 1, totals: 'all' },
  },
  {
    what: 'payments of an account, rows and totals',
    path: 'muni/return/payment/transactions',
    body: { search: '200123' },
  },
  { what: 'successful payments, totals', path: 'muni/return/payment/transactions', body: { filters: { status: 1 } } },
  { what: 'payments of a month, rows and totals', path: 'muni/return/payment/transactions', body: { filters: month } },
]

/**
 * Times each call alternately in a municipality of the demo's size and in a large one. The ratio of the times is the
 * growth.
 */
export async function growth(environment: BenchEnvironment): Promise<Row[]> {
  const [small, big] = [await opened(environment, demoSize), await opened(environment, bigSize)]
  const rows: Row[] = []
  for (const kind of kinds) {
    const times = await inTurns(
      ITERATIONS,
      () => big.callApi(kind),
      () => small.callApi(kind),
    )
    rows.push(
      timeRow(`${kind.what}: a large municipality, against the demo's size`, times, kind.onDemand ? null : MAX_GROWTH),
    )
  }
  const { many, ms } = await findBills(big.portal, bigSize)
  rows.push(
    rateRow(
      'guests who find a bill in the large municipality, against ten a second',
      many,
      { ours: ms, baseline: many * 100 },
      1,
    ),
  )
  for (const one of [small, big]) await one.close()
  return rows
}

async function opened(environment: BenchEnvironment, size: CompanySize) {
  const database = await environment.database()
  await fillCompany(database.owner, size)
  const portal = await openPortal(database, environment.folder)
  await addTestPlatformStaff({ db: database.pools, clock: { now: () => new Date() } })
  const staff = await staffHeaders(portal)
  const { token } = await portal.post<{ token: string }>(
    'admin/login',
    { email: 'super@mainstreet.example', password: DEMO_PASSWORD },
    { host: ADMIN },
  )
  const admin = { host: ADMIN, authorization: `Bearer ${token}` }
  return {
    portal,
    callApi: ({ path, body, admin: isAdmins }: Kind) => portal.post(path, body, isAdmins ? admin : staff),
    close: async () => {
      await portal.close()
      await database.drop()
    },
  }
}

/** Times account searches by guests, made one after another without a pause, each from a different IP address. */
async function findBills(portal: BenchPortal, { accounts }: CompanySize) {
  const many = 300
  const find = (n: number) =>
    portal.post(
      'find/guest/bill',
      { accountNumber: String(200_001 + ((n * 37) % accounts)), zip: '17011' },
      { 'x-forwarded-for': `10.0.${Math.floor(n / 250)}.${n % 250}` },
    )
  await find(many)
  const ms = await timed(async () => {
    for (let n = 0; n < many; n++) await find(n)
  })
  return { many, ms }
}
