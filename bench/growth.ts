import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { addDays } from '../shared/dates.ts'
import { addTestPlatformStaff } from '../test/town.ts'
import { p95, rateRow, type Row, timed, timeRow } from './measure.ts'
import { type BenchPortal, clerk, openPortal, type Place } from './place.ts'
import { bigSize, demoSize, fillTown, type TownSize } from './town.ts'

const TURNS = 40
const ADMIN = 'admin.localhost'
const today = new Date().toISOString().slice(0, 10)
const year = { fromDate: addDays(today, -364), toDate: today }
const month = { fromDate: addDays(today, -29), toDate: today }

/** Goal of the issue: in a large municipality a call takes at most three times as long as in the demo's. */
const MOST_GROWTH = 3

interface Kind {
  what: string
  path: string
  body: object
  admin?: true
  /** Sums over all that match, asked for after the rows are shown: they may take longer. */
  sums?: true
}

const kinds: readonly Kind[] = [
  { what: 'profit report of a year', path: 'admin/return/profit/report', body: { filters: year }, admin: true },
  { what: 'merchant overview of a month', path: 'muni/return/merchant/overview', body: month },
  { what: 'merchant overview of a year', path: 'muni/return/merchant/overview', body: year },
  { what: 'Communication Report, all days, rows', path: 'muni/return/communication/report', body: { totals: false } },
  { what: 'the same, its totals', path: 'muni/return/communication/report', body: { pageSize: 1 }, sums: true },
  {
    what: 'payments of one name in twenty, rows',
    path: 'muni/return/payment/transactions',
    body: { search: 'whitfield', totals: false },
  },
  {
    ...{ what: 'the same, their totals', path: 'muni/return/payment/transactions', sums: true },
    body: { search: 'whitfield', pageSize: 1 },
  },
  { what: 'payments of a month, rows and totals', path: 'muni/return/payment/transactions', body: { filters: month } },
]

/** Each call in a municipality of the demo's size and in a large one: the ratio is what it grew by. */
export async function growth(place: Place): Promise<Row[]> {
  const small = await measured(place, demoSize)
  const big = await measured(place, bigSize)
  return [
    ...kinds.map(({ what, sums }, nth) =>
      timeRow(
        `${what}: a large municipality against the demo's size (p95)`,
        { ours: big.times[nth] ?? 0, baseline: small.times[nth] ?? 0 },
        sums ? null : MOST_GROWTH,
      ),
    ),
    rateRow(
      `guests who find a bill in the large municipality, against ten a second`,
      big.found.many,
      { ours: big.found.ms, baseline: big.found.many * 100 },
      1,
    ),
  ]
}

async function measured(place: Place, size: TownSize) {
  const database = await place.database()
  await fillTown(database.owner, size)
  const portal = await openPortal(database, place.folder)
  await addTestPlatformStaff({ db: database.pools, clock: { now: () => new Date() } })
  const staff = await clerk(portal)
  const { token } = await portal.post<{ token: string }>(
    'admin/login',
    { email: 'super@mainstreet.example', password: DEMO_PASSWORD },
    { host: ADMIN },
  )
  const admin = { host: ADMIN, authorization: `Bearer ${token}` }
  const times: number[] = []
  for (const { path, body, admin: isAdmins } of kinds) {
    const all: number[] = []
    for (let turn = 0; turn <= TURNS; turn++) {
      const took = await timed(() => portal.post(path, body, isAdmins ? admin : staff))
      if (turn > 0) all.push(took)
    }
    times.push(p95(all))
  }
  const found = await findBills(portal, size)
  await portal.close()
  await database.drop()
  return { times, found }
}

/** Guests of one address each, who look for accounts one after the other, as fast as the portal answers. */
async function findBills(portal: BenchPortal, { accounts }: TownSize) {
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
