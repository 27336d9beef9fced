import { beforeAll, expect, test } from 'vitest'
import { fillPlatform } from '../bench/rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { mostRowsRead, type PlannedPortal, portalWithPlans } from './plans.ts'
import { addTestPlatformStaff } from './town.ts'

/** What the provider asks over all towns, where there are many of them. */

const ADMIN = 'admin.localhost'
const [TOWNS, RESIDENTS] = [2000, 20]
const LARGE = ['company', 'person', 'utility_account', 'linked_account', 'scheduled_item']
const sizes = new Map<string, number>()

let portal: PlannedPortal
let token = ''

beforeAll(async () => {
  const database = await testDatabase()
  await fillPlatform(database.owner, { towns: TOWNS, residents: RESIDENTS, items: 20 }, testClock().now())
  for (const table of LARGE) {
    const { rows } = await database.owner.query(`SELECT reltuples::int AS n FROM pg_class WHERE relname = $1`, [table])
    sizes.set(table, rows[0].n)
  }
  portal = await portalWithPlans(database)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
}, 120_000)

/** No step of these plans reads more than half of a table: what has an end, such as counting up to a thousand, has one here. */
function expectParts(found: readonly string[]): void {
  expect(found.length, 'plans were told at all').toBeGreaterThan(0)
  const read = LARGE.map((table) => ({ table, part: mostRowsRead(found, table) / (sizes.get(table) ?? 0) }))
  expect(read.filter(({ part }) => part > 0.5)).toEqual([])
}

const ask = async (path: string, body: object) => {
  const answer = await portal.post(ADMIN, path, body, { token })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

test.each<[string, object, number]>([
  ['from their start', {}, TOWNS],
  ['backwards by id', { sort: 'id', direction: 'desc' }, TOWNS],
  ['a part of a name', { companyName: 'falls 10' }, 3],
  ['words of anything', { search: '17 main' }, 3],
])('the list of companies reads no table whole: %s', async (_what, queryParams, atLeast) => {
  const companies = (more: object = {}) =>
    ask('admin/return/companys/information', { queryParams: { ...queryParams, ...more } })
  const { total, next } = await companies()
  expect(total).toBeGreaterThanOrEqual(Math.min(atLeast, 1000))
  const found = await portal.plansOf(async () => {
    const { next: further } = await companies()
    if (further) await companies({ cursor: next })
  })
  expectParts(found)
})

test.each<[string, object]>([
  ['a name', { name: 'ada' }],
  ['an email', { email: 'p77.1' }],
  ['an address', { serviceAddress: '77 m' }],
  ['a phone number', { phone: '717-000-77' }],
  ['an account number', { accountNumber: 'a107' }],
  ['a profile without an account', { profiles: true, email: '.10@example' }],
])('nor does the look-up: %s', async (_what, filters) => {
  const found = await portal.plansOf(async () => {
    const { rows } = await ask('admin/look/up/customers', { filters })
    expect(rows.length).toBeGreaterThan(0)
  })
  expectParts(found)
})

test.each([
  ['Seq Scan on person x  (cost=0.00..9.00 rows=9 width=4) (actual rows=39000.00 loops=1)'],
  ['Index Scan using company_by_key on company  (cost=0) (actual rows=4.00 loops=1)\n Rows Removed by Filter: 1996'],
  [
    'Nested Loop (actual rows=1.00 loops=1)\n  ->  Index Only Scan using linked_account_pkey on public.linked_account l (actual rows=1.00 loops=30000)',
  ],
])('a plan with "%s" is refused', (plan) => {
  expect(() => expectParts([plan])).toThrow()
})
