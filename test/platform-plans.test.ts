import { beforeAll, expect, test } from 'vitest'
import type pg from 'pg'
import { fillPlatform } from '../bench/rows.ts'
import { writeUnchecked } from './generated-rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { expectNoWholeTable, maxRowsRead, type PortalWithPlans, portalWithPlans } from './plans.ts'
import { addTestPlatformStaff } from './company.ts'

/** Query plans of platform requests over many companies. `lists-plans.test.ts` covers lists. */

const ADMIN = 'admin.localhost'
const [COMPANIES, RESIDENTS] = [2000, 10]
const LARGE = ['company', 'person', 'utility_account', 'linked_account', 'scheduled_item']
const sizes = new Map<string, number>()

let portal: PortalWithPlans
let token = ''

beforeAll(async () => {
  const database = await testDatabase()
  await fillPlatform(database.owner, { companies: COMPANIES, residents: RESIDENTS, items: 1 }, testClock().now())
  await writeUnchecked(database.owner, async (client) => {
    await fillWithItems(client)
    await fillWithSupport(client)
  })
  for (const table of LARGE) {
    const { rows } = await database.owner.query(`SELECT reltuples::int AS n FROM pg_class WHERE relname = $1`, [table])
    sizes.set(table, rows[0].n)
  }
  portal = await portalWithPlans(database)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
}, 120_000)

/** Adds 20,000 scheduled items, spread over all companies and a year. */
async function fillWithItems(owner: pg.PoolClient): Promise<void> {
  await owner.query(
    `INSERT INTO scheduled_item (company_id, event_type_id, title, starts_at, ends_at, status)
     SELECT 100001 + n % 2000, 1 + n % 4, 'Item ' || n, at, at + interval '1 hour', (ARRAY[NULL, 'not_started', 'in_progress', 'completed'])[1 + n % 4]
     FROM (SELECT n, $1::timestamptz + (n - 10000) * interval '26.28 minutes' AS at FROM generate_series(1, 20000) AS n) AS made`,
    [testClock().now()],
  )
  await owner.query('VACUUM (ANALYZE) scheduled_item')
}

/** Adds support requests of more than two years. Most are completed, and each has a message. */
async function fillWithSupport(owner: pg.PoolClient): Promise<void> {
  await owner.query(
    `INSERT INTO support_request (company_id, created_at, updated_at, status, closed_at, category, name, email, phone,
       account_number, address, city, state, zipcode, message, assigned_to)
     SELECT c.id, at, at, status, CASE WHEN status IN (2, 4) THEN at END, 'paying', 'Person ' || n, 'p' || n || '@example.org', '', '', '',
       '', '', '', 'The page shows the wrong amount, number ' || n, CASE WHEN n % 50 > 0 THEN 1 + n % 7 END
     FROM generate_series(1, 20000) AS n,
       LATERAL (SELECT $1::timestamptz - n * interval '1 hour' AS at, CASE WHEN n % 40 > 0 THEN 2 ELSE n / 40 % 4 END AS status) AS x,
       LATERAL (SELECT 100001 + n % 3 AS id) AS c`,
    [testClock().now()],
  )
  await owner.query(
    `INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_name, text)
     SELECT company_id, 'support_request', id, created_at, 'reply', 'everyone', 'platform', 'Somebody', 'An answer'
     FROM support_request`,
  )
  await owner.query(
    `INSERT INTO status_history (company_id, machine, subject_id, seq, at, from_state, to_state, event, actor_kind, actor_name)
     SELECT company_id, 'support_request', id, 1, created_at, '0', '2', 'complete', 'platform', 'Somebody' FROM support_request`,
  )
  await owner.query('VACUUM (ANALYZE) support_request, case_entry, status_history')
}

/**
 * Checks that no plan step reads more than half of a table. A query with a limit, such as a count up to a thousand,
 * must stop at its limit.
 */
function expectParts(plans: readonly string[]): void {
  expect(plans.length, 'plans were told at all').toBeGreaterThan(0)
  const read = LARGE.map((table) => ({ table, part: maxRowsRead(plans, table) / (sizes.get(table) ?? 0) }))
  expect(read.filter(({ part }) => part > 0.5)).toEqual([])
}

const callApi = async (path: string, body: object) => {
  const response = await portal.post(ADMIN, path, body, { token })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body
}

test.each<[string, object, number]>([
  ['from their start', {}, COMPANIES],
  ['backwards by id', { sort: 'id', direction: 'desc' }, COMPANIES],
  ['a part of a name', { companyName: 'falls 10' }, 3],
  ['words of anything', { search: '17 main' }, 3],
])('reads no whole table for the list of companies: %s', async (_what, queryParams, min) => {
  const companies = (more: object = {}) =>
    callApi('admin/return/companys/information', { queryParams: { ...queryParams, ...more } })
  const { total, next } = await companies()
  expect(total).toBeGreaterThanOrEqual(Math.min(min, 1000))
  const plans = await portal.plansOf(async () => {
    const { next: further } = await companies()
    if (further) await companies({ cursor: next })
  })
  expectParts(plans)
})

test.each<[string, object]>([
  ['a name', { name: 'ada' }],
  ['an email', { email: 'p77.1' }],
  ['an address', { serviceAddress: '77 m' }],
  ['a phone number', { phone: '717-000-77' }],
  ['an account number', { accountNumber: 'a107' }],
  ['a profile without an account', { profiles: true, email: '.10@example' }],
])('reads no whole table for the look-up: %s', async (_what, filters) => {
  const plans = await portal.plansOf(async () => {
    const { rows } = await callApi('admin/look/up/customers', { filters })
    expect(rows.length).toBeGreaterThan(0)
  })
  expectParts(plans)
})

test.each<[string, object]>([
  ['two weeks', {}],
  ['of a status', { status: 'completed' }],
  ['of a type', { eventType: 2 }],
  ['of a company', { company: 100_017 }],
])('reads no whole table for the master calendar: %s', async (_what, filters) => {
  const range = { fromDate: '2026-11-15', toDate: '2026-11-28', filters }
  const plans = await portal.plansOf(async () =>
    expect((await callApi('admin/return/master/calendar', range)).days).not.toEqual([]),
  )
  expectNoWholeTable(plans, ['scheduled_item'])
})

const SUPPORT = ['support_request', 'case_entry', 'status_history']

test('reads no whole table for support requests and assignments', async () => {
  const { rows } = await portal.owner.query('SELECT company_id, id FROM support_request ORDER BY id DESC LIMIT 1')
  const { rows: me } = await portal.owner.query(`SELECT id FROM platform_person WHERE email LIKE 'super@%'`)
  const companyId = rows[0].company_id
  const requests: [string, object][] = [
    ['return/support/requests', { filters: { companyId } }],
    ['return/support/request', { companyId, subjectId: Number(rows[0].id) }],
    ['return/support/assignees', {}],
    ['return/unread/support', {}],
    ['return/support/items', { personId: Number(me[0].id) }],
  ]
  for (const [path, body] of requests)
    expectNoWholeTable(await portal.plansOf(() => callApi(`admin/${path}`, body)), SUPPORT)
})

test.each([
  ['Seq Scan on person x  (cost=0.00..9.00 rows=9 width=4) (actual rows=39000.00 loops=1)'],
  ['Index Scan using company_by_key on company  (cost=0) (actual rows=4.00 loops=1)\n Rows Removed by Filter: 1996'],
  [
    'Nested Loop (actual rows=1.00 loops=1)\n  ->  Index Only Scan using linked_account_pkey on public.linked_account l (actual rows=1.00 loops=30000)',
  ],
])('refuses a plan with "%s"', (plan) => {
  expect(() => expectParts([plan])).toThrow()
})
