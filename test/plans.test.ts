import { fillWithPayments } from '../bench/rows.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { type TestPortal, testClock, testDatabase, testPortal } from './harness.ts'
import { addTestPlatformStaff, openTestTown } from './town.ts'

/**
 * The plans that PostgreSQL makes for what people do most, on tables large enough that reading one whole would hurt.
 * The database tells each plan as it runs it, so that what is looked at is what the portal really asks.
 */

const TOWN = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const LARGE = [
  ...['payment_order', 'ledger_transfer', 'utility_account', 'audit_event', 'person', 'linked_account'],
  ...['support_request', 'support_message', 'support_status_history'],
]

let portal: TestPortal
let token = ''
let superToken = ''
const plans: string[] = []

beforeAll(async () => {
  const database = await testDatabase()
  await openTestTown({ db: database.pools, clock: testClock() }, mapleGrove)
  await fillWithPayments(database.owner, 60_000, testClock().now())
  await fillWithSignIns(database.owner)
  await fillWithResidents(database.owner)
  await fillWithSupport(database.owner)
  const name = new URL(database.url).pathname.slice(1)
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_nested_statements = on',
    'client_min_messages = log',
  ])
    await database.owner.query(`ALTER DATABASE ${name} SET ${setting}`)
  portal = await testPortal({ database, clock: testClock() })
  const heard = new WeakSet<object>()
  for (const pool of [portal.db.app, portal.db.platform])
    pool.on('acquire', (client) => {
      if (heard.has(client)) return
      heard.add(client)
      client.on('notice', ({ message }) => plans.push(message ?? ''))
    })
  await addTestPlatformStaff({ db: database.pools, clock: testClock() })
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  token = await portal.signIn(TOWN, 'staff@maplegrove.example')
})

/** Half a year of sign-ins, among five times as many other events. */
async function fillWithSignIns(owner: pg.Pool): Promise<void> {
  await owner.query(
    `INSERT INTO audit_event (company_id, at, actor_kind, action, subject, detail)
     SELECT (SELECT min(id) FROM company), $1::timestamptz - n * interval '3 minutes', 'system',
       (ARRAY['sign_in.accepted', 'sign_in.refused', 'report.read', 'access.refused', 'sign_out', 'settings.changed'])[1 + n % 6],
       (1000 + n % 400)::text, '{"how": "password"}'
     FROM generate_series(1, 90000) AS n`,
    [testClock().now()],
  )
  await owner.query('ANALYZE audit_event')
}

/** A resident for every utility account; in Maple Grove, for every second one, and 5000 without an account. */
async function fillWithResidents(owner: pg.Pool): Promise<void> {
  await owner.query(`
    INSERT INTO person (company_id, email, role_id, first_name, last_name, service_address)
    SELECT company_id, 'p' || id || '@example.org', 1, 'Resident', account_number, service_address FROM utility_account`)
  await owner.query(`
    INSERT INTO person (company_id, email, role_id, first_name, last_name)
    SELECT id, 'none' || n || '@example.org', 1, 'Newcomer', 'No ' || n FROM company, generate_series(1, 5000) AS n WHERE subdomain = 'maplegrove'`)
  await owner.query(`
    INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
    SELECT p.company_id, p.id, substring(p.email FROM 2 FOR position('@' IN p.email) - 2)::bigint, now()
    FROM person p WHERE p.email ~ '^p[0-9]+@' AND p.first_name = 'Resident'`)
  await owner.query('VACUUM (ANALYZE) person, linked_account, utility_account')
}

/** Years of support requests, most of them done, each with two messages. */
async function fillWithSupport(owner: pg.Pool): Promise<void> {
  await owner.query(
    `INSERT INTO support_request (company_id, created_at, updated_at, status, closed_at, category, name, email, phone,
       account_number, address, city, state, zipcode, message, assigned_to)
     SELECT c.id, at, at, status, CASE WHEN status IN (2, 4) THEN at END, 'paying', 'Person ' || n, 'p' || n || '@example.org', '', '', '',
       '', '', '', 'The page shows the wrong amount, number ' || n, CASE WHEN n % 50 > 0 THEN 1 + n % 7 END
     FROM generate_series(1, 60000) AS n,
       LATERAL (SELECT $1::timestamptz - n * interval '20 minutes' AS at, CASE WHEN n % 40 > 0 THEN 2 ELSE n / 40 % 4 END AS status) AS x,
       LATERAL (SELECT id FROM company ORDER BY (id + n) % 3, id LIMIT 1) AS c`,
    [testClock().now()],
  )
  await owner.query(
    `INSERT INTO support_message (company_id, request_id, at, kind, author_name, text)
     SELECT company_id, id, created_at, 'reply', 'Somebody', 'An answer' FROM support_request, generate_series(1, 2)`,
  )
  await owner.query(
    `INSERT INTO support_status_history (company_id, request_id, at, from_status, to_status, actor_kind, actor_name)
     SELECT company_id, id, created_at, 0, 2, 'platform', 'Somebody' FROM support_request`,
  )
  await owner.query('VACUUM (ANALYZE) support_request, support_message, support_status_history')
}

/** The plans of everything that is asked meanwhile. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  plans.length = 0
  await work()
  return plans.filter((plan) => plan.includes('plan:'))
}

function expectNoWholeTable(found: readonly string[]): void {
  expect(found.length, 'plans were told at all').toBeGreaterThan(0)
  const whole = found.filter((plan) =>
    LARGE.some((table) => new RegExp(`Seq Scan on (?:public\\.)?${table}\\b`).test(plan)),
  )
  expect(whole).toEqual([])
}

const report = async (question: object) => {
  const asked = { filters: {}, ...question }
  const { status, body } = await portal.post(TOWN, 'muni/return/payment/transactions', asked, { token })
  expect(status).toBe(200)
  return body
}
const month = { fromDate: '2026-10-21', toDate: '2026-11-20' }

test.each([
  ['a month, newest first', { filters: month }],
  ['a month by amount', { filters: month, sort: 'amount' }],
  ['one status of a day', { filters: { fromDate: '2026-11-19', toDate: '2026-11-19', status: 1 } }],
  ['a receipt number', { search: 'P1000200' }],
  ['a part of a name', { search: 'customer 17' }],
])('the payment report reads no table whole: %s', async (_what, question) => {
  expectNoWholeTable(await plansOf(() => report(question)))
})

test('nor does a page in the middle', async () => {
  let cursor: string | undefined
  for (let page = 0; page < 20; page++) cursor = (await report({ pageSize: 50, cursor })).next
  expectNoWholeTable(await plansOf(() => report({ pageSize: 50, cursor })))
})

test('nor do a payment’s details', async () => {
  const [row] = (await report({ filters: month })).rows
  expectNoWholeTable(
    await plansOf(() => portal.post(TOWN, 'muni/return/payment/details', { paymentId: row.id }, { token })),
  )
})

const noFilters = { profiles: false, email: '', name: '', serviceAddress: '', phone: '', accountNumber: '' }

test.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
  ['from its start', { direction: 'asc' }],
  ['by account number', { sort: 'account' }],
  ['a part of anything', { search: 'customer 17' }],
  ['a part of a name', {}, { name: 'omer 19' }],
  ['an email', {}, { email: 'p177' }],
  ['an address and a number', {}, { serviceAddress: '55 elm', accountNumber: 'a15' }],
  ['profiles without an account', { direction: 'asc' }, { profiles: true }],
  ['a profile without an account', {}, { profiles: true, email: 'none17' }],
])('nor does the list of customers: %s', async (_what, question, filters) => {
  const ask = async (more: object = {}) => {
    const body = { ...question, filters: { ...noFilters, ...filters }, ...more }
    const answer = await portal.post(TOWN, 'muni/return/utility/customers', body, { token })
    expect(answer).toMatchObject({ status: 200, body: { rows: expect.arrayContaining([expect.anything()]) } })
    return answer.body
  }
  expectNoWholeTable(
    await plansOf(async () => {
      const { next } = await ask()
      if (next) await ask({ cursor: next })
    }),
  )
})

test.each<[string, Record<string, unknown>]>([
  ['a part of a name', { name: 'omer 19' }],
  ['an email', { email: 'p177' }],
  ['an address and a number', { serviceAddress: '55 elm', accountNumber: 'a15' }],
  ['a profile without an account', { profiles: true, email: 'none17' }],
  ['a user of a town by name', { mode: 'user', name: 'no 17' }],
  ['a user of a town by the number of an account', { mode: 'user', accountNumber: 'a177' }],
])('nor does the look-up over all towns: %s', async (_what, filters) => {
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const asked = filters['mode'] === 'user' ? { ...filters, companyId: Number(rows[0].id) } : filters
  expectNoWholeTable(
    await plansOf(async () => {
      const ask = (cursor?: string) =>
        portal.post(ADMIN, 'admin/look/up/customers', { filters: asked, cursor }, { token: superToken })
      const { status, body } = await ask()
      expect(status).toBe(200)
      expect(body.rows.length).toBeGreaterThan(0)
      if (body.next) await ask(body.next)
    }),
  )
})

test.each([
  ['newest first', {}],
  ['of one person', { search: 'staff@maplegrove.example' }],
])('nor does the audit log: %s', async (_what, question) => {
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const asked = { ...question, companyId: Number(rows[0].id) }
  expectNoWholeTable(await plansOf(() => portal.post(ADMIN, 'muni/return/audit/events', asked, { token: superToken })))
})

test.each<[string, Record<string, unknown>]>([
  ['all, newest first', {}],
  ['open ones, the oldest first', { filters: { status: 'open' }, direction: 'asc' }],
  ['open ones by activity', { filters: { status: 'open' }, sort: 'activity', direction: 'asc' }],
  ['all by activity', { sort: 'activity' }],
  ['of one status', { filters: { status: 3 } }],
  ["nobody's", { filters: { status: 'open', assignee: 'nobody' } }],
  ["somebody's", { filters: { assignee: 3 } }],
  ["somebody's open ones", { filters: { status: 'open', assignee: 3 } }],
  ['of a few days', { filters: { fromDate: '2026-10-01', toDate: '2026-10-05' } }],
  ['by number', { search: 'S2000' }],
  ['by digits', { search: '17123' }],
  ['by a part of what was written', { search: 'number 4711' }],
])('nor does the list of support requests: %s', async (_what, question) => {
  const ask = async (cursor?: string) => {
    const asked = { filters: {}, ...question, cursor }
    const { status, body } = await portal.post(ADMIN, 'admin/return/support/requests', asked, { token: superToken })
    expect(status).toBe(200)
    expect(body.rows.length).toBeGreaterThan(0)
    return body
  }
  expectNoWholeTable(
    await plansOf(async () => {
      const { next } = await ask()
      if (next) await ask(next)
    }),
  )
})

test('nor do a town’s support requests, one of them, and what is assigned', async () => {
  const { rows } = await portal.owner.query('SELECT company_id, id FROM support_request ORDER BY id DESC LIMIT 1')
  const { rows: me } = await portal.owner.query(`SELECT id FROM platform_person WHERE email LIKE 'super@%'`)
  const companyId = rows[0].company_id
  const asked: [string, object][] = [
    ['return/support/requests', { filters: { companyId } }],
    ['return/support/request', { companyId, requestId: Number(rows[0].id) }],
    ['return/support/assignees', {}],
    ['return/support/items', { personId: Number(me[0].id) }],
  ]
  for (const [path, body] of asked)
    expectNoWholeTable(
      await plansOf(async () =>
        expect((await portal.post(ADMIN, `admin/${path}`, body, { token: superToken })).status).toBe(200),
      ),
    )
})

test('nor does finding a bill and opening its checkout', async () => {
  expectNoWholeTable(
    await plansOf(async () => {
      const { body } = await portal.post(TOWN, 'find/guest/bill', { accountNumber: 'A17', zip: '17011' })
      await portal.post(TOWN, 'return/guest/checkout', { token: body.token })
    }),
  )
})

test.each([
  ['a month', { filters: month }],
  ['a month of refusals', { filters: { ...month, outcome: 'refused' } }],
  ['one person', { filters: { personId: 1001 } }],
])('nor does the Login Report: %s', async (_what, question) => {
  const ask = async (cursor?: string) => {
    const { status, body } = await portal.post(TOWN, 'muni/return/login/report', { ...question, cursor }, { token })
    expect(status).toBe(200)
    return body
  }
  const { next } = await ask()
  const found = await plansOf(() => ask(next ?? undefined))
  expect(found.some((plan) => /using audit_event_sign_ins/.test(plan))).toBe(true)
  expectNoWholeTable(found)
})

test('nor does signing in, or any call of a session', async () => {
  expectNoWholeTable(await plansOf(() => portal.signIn(TOWN, 'resident@maplegrove.example')))
})

test.each(['Seq Scan on payment_order', 'Parallel Seq Scan on public.ledger_transfer t'])(
  'a plan with "%s" is refused',
  (plan) => {
    expect(() => expectNoWholeTable([`duration: 1 ms  plan: ${plan} (cost=0.00..1.00)`])).toThrow()
  },
)
