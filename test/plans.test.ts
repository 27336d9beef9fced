import { fillWithPayments } from '../bench/rows.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { writeUnchecked } from './generated-rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { nightly } from './nightly.ts'
import { expectNoWholeTable as expectNone, maxRowsRead, type PortalWithPlans, portalWithPlans } from './plans.ts'
import { addTestPlatformStaff, openTestCompany } from './company.ts'

/**
 * Tests the PostgreSQL query plans of the most common requests. The tables are so large that no query should read a
 * whole table. `lists-plans.test.ts` covers lists. The database reports the plan of each query as it runs, so the test
 * sees the portal's real queries.
 */

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const LARGE = [
  ...['payment_order', 'payment_day', 'ledger_transfer', 'utility_account', 'audit_event', 'person', 'linked_account'],
  ...['daily_figure', 'status_history', 'email_outbox', 'payment_order_line'],
]

/** Number of payments. With so many rows, PostgreSQL prefers any other plan to reading the whole table. */
const PAYMENTS = 15_000

let portal: PortalWithPlans
let token = ''
let superToken = ''

beforeAll(async () => {
  const database = await testDatabase()
  // Must come first, because connections that were opened before this call report no plans.
  portal = await portalWithPlans(database)
  await openTestCompany({ db: database.pools, clock: testClock() }, mapleGrove)
  await fillWithPayments(database.owner, PAYMENTS, testClock().now())
  await writeUnchecked(database.owner, async (client) => {
    await fillWithSignIns(client)
    await fillWithResidents(client)
    await fillWithSteps(client)
  })
  await addTestPlatformStaff({ db: database.pools, clock: testClock() })
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  token = await portal.signIn(HOST, 'staff@maplegrove.example')
}, 120_000)

/** Adds 45,000 audit events. A third of them are successful or refused sign-ins. Staff caused one in twenty events. */
async function fillWithSignIns(owner: pg.PoolClient): Promise<void> {
  await owner.query(
    `INSERT INTO audit_event (company_id, at, actor_kind, actor_id, action, subject, detail)
     SELECT (SELECT min(id) FROM company), $1::timestamptz - n * interval '3 minutes', 'system',
       CASE WHEN n % 20 = 0 THEN (SELECT id FROM person WHERE email = 'staff@maplegrove.example') END,
       (ARRAY['sign_in.accepted', 'sign_in.refused', 'report.read', 'access.refused', 'sign_out', 'settings.changed'])[1 + n % 6],
       (1000 + n % 400)::text, '{"how": "password"}'
     FROM generate_series(1, 45000) AS n`,
    [testClock().now()],
  )
  await owner.query('ANALYZE audit_event')
}

/** Adds the transitions of every payment, and its emailed receipt. */
async function fillWithSteps(owner: pg.PoolClient): Promise<void> {
  await owner.query(`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name)
    SELECT company_id, 'order', id, s.seq, s.from_state, s.to_state, s.event, created_at, 'system', 'Mainstreet'
    FROM payment_order CROSS JOIN (VALUES (1, '', '0', 'created'), (2, '0', '1', 'captured')) AS s(seq, from_state, to_state, event)`)
  await owner.query(`
    INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, created_at, sent_at)
    SELECT company_id, payer_email, 'Receipt', '', '', created_at, created_at FROM payment_order`)
  await owner.query('ANALYZE status_history, email_outbox')
}

/**
 * Adds a resident for every second utility account in Maple Grove and for every account elsewhere. Adds 5,000 residents
 * without an account.
 */
async function fillWithResidents(owner: pg.PoolClient): Promise<void> {
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

const plansOf = (work: () => Promise<unknown>) => portal.plansOf(work)
const expectNoWholeTable = (plans: readonly string[]) => expectNone(plans, LARGE)

const report = async (question: object) => {
  const input = { filters: {}, ...question }
  const { status, body } = await portal.post(HOST, 'muni/return/payment/transactions', input, { token })
  expect(status).toBe(200)
  return body
}
const month = { fromDate: '2026-10-21', toDate: '2026-11-20' }

test.each([
  ['a month', { filters: month }],
  ['a month by card at the counter', { filters: { ...month, method: 1, location: 4 } }],
  ['everything', {}],
])('sums days instead of payments for the totals of %s', async (_what, question) => {
  const plans = await plansOf(() => report({ ...question, pageSize: 1 }))
  expect(maxRowsRead(plans, 'payment_day')).toBeGreaterThan(0)
  expect(maxRowsRead(plans, 'ledger_transfer')).toBe(0)
  // The count of matching rows stops at the cap.
  expect(maxRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(1000)
})

test('reads few payments in a search of a few weeks', async () => {
  const plans = await plansOf(() => report({ filters: month, search: 'itak' }))
  expect(maxRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(600)
  expect(maxRowsRead(plans, 'ledger_transfer')).toBe(0)
})

test('allows totals of a company above any payment', async () => {
  await portal.owner.query('UPDATE payment_day SET bill_cents = bill_cents * 100000')
  const { totals } = await report({ pageSize: 1 })
  expect(totals.amountCents).toBeGreaterThan(1e12)
  await portal.owner.query('UPDATE payment_day SET bill_cents = bill_cents / 100000')
})

test('requests no totals for later pages', async () => {
  const { next: cursor } = await report({ totals: true })
  const plans = await plansOf(async () => {
    expect(await report({ cursor, totals: false })).toMatchObject({ count: null, totals: null })
  })
  expect(maxRowsRead(plans, 'payment_day')).toBe(0)
  expect(maxRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(11)
})

test('sums days and uses indexes for a year of the merchant overview', async () => {
  await portal.owner.query(
    `INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account, error_code, created_at, checked_at)
     SELECT company_id, id, 1, 'plan-' || id, CASE WHEN id % 50 = 0 THEN 2 ELSE 1 END, CASE WHEN id % 50 = 0 THEN 'failed' ELSE 'succeeded' END,
       'sandbox', 'plan', CASE WHEN id % 50 = 0 THEN 'insufficient_funds' END, created_at, created_at FROM payment_order;
     UPDATE payment_order SET return_code = 'R01' WHERE id % 200 = 0`,
  )
  await portal.owner.query('VACUUM (ANALYZE) payment_attempt, payment_order')
  const year = { fromDate: '2025-11-21', toDate: '2026-11-20' }
  const plans = await plansOf(async () => {
    const { status, body } = await portal.post(HOST, 'muni/return/merchant/overview', year, { token })
    expect(status).toBe(200)
    expect(body.volume.now.payments).toBeGreaterThan(PAYMENTS / 20)
  })
  expectNone(plans, [...LARGE, 'payment_attempt'])
  expect(maxRowsRead(plans, 'payment_day')).toBeGreaterThan(0)
  // At most the company's own payments of the requested year and the year before.
  expect(maxRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(PAYMENTS / 4)
  expect(maxRowsRead(plans, 'payment_attempt')).toBeLessThanOrEqual(PAYMENTS / 10)
})

test('uses daily figures for Form 1099-K', async () => {
  const plans = await plansOf(async () => {
    expect((await portal.post(HOST, 'muni/return/form/1099k', { year: 2026 }, { token })).status).toBe(200)
  })
  expectNoWholeTable(plans)
  expect(maxRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(50)
})

test('reads emails and texts by time for the list of notices', async () => {
  const plans = await plansOf(async () => {
    const input = { filters: month, totals: false }
    expect((await portal.post(HOST, 'muni/return/notices', input, { token })).status).toBe(200)
  })
  expectNoWholeTable(plans)
  expect(maxRowsRead(plans, 'email_outbox')).toBeLessThanOrEqual(20)
})

test('reads no whole table for a middle page', async () => {
  let cursor: string | undefined
  for (let page = 0; page < 20; page++) cursor = (await report({ pageSize: 50, cursor })).next
  expectNoWholeTable(await plansOf(() => report({ pageSize: 50, cursor })))
})

test('reads no whole table for a payment’s details', async () => {
  const [row] = (await report({ filters: month })).rows
  expectNoWholeTable(
    await plansOf(() => portal.post(HOST, 'muni/return/payment/details', { paymentId: row.id }, { token })),
  )
})

const noFilters = { profiles: false, email: '', name: '', serviceAddress: '', phone: '', accountNumber: '' }

test('exports every row that a search finds', async () => {
  const filters = { ...noFilters, profiles: true }
  const body = { search: 'example', filters }
  const { body: ticket } = await portal.post(HOST, 'muni/export/utility/customers', body, { token })
  const csv = String((await portal.get(HOST, ticket.url)).body)
  expect(csv.split('\n').filter((line) => /none\d+@example/.test(line))).toHaveLength(5000)
})

test.each<[string, Record<string, unknown>]>([
  ['a part of a name', { name: 'omer 19' }],
  ['an email', { email: 'p177' }],
  ['an address and a number', { serviceAddress: '55 elm', accountNumber: 'a15' }],
  ['a profile without an account', { profiles: true, email: 'none17' }],
  ['a user of a town by name', { mode: 'user', name: 'no 17' }],
  ['a user of a town by the number of an account', { mode: 'user', accountNumber: 'a177' }],
])('reads no whole table for the look-up across companies: %s', async (_what, filters) => {
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const input = filters['mode'] === 'user' ? { ...filters, companyId: Number(rows[0].id) } : filters
  expectNoWholeTable(
    await plansOf(async () => {
      const requestPage = (cursor?: string) =>
        portal.post(ADMIN, 'admin/look/up/customers', { filters: input, cursor }, { token: superToken })
      const { status, body } = await requestPage()
      expect(status).toBe(200)
      expect(body.rows.length).toBeGreaterThan(0)
      if (body.next) await requestPage(body.next)
    }),
  )
})

test.each([['of one person', { search: 'staff@maplegrove.example' }]])(
  'reads no whole table for the audit log: %s',
  async (_what, question) => {
    const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
    const input = { ...question, companyId: Number(rows[0].id) }
    const plans = await plansOf(() => portal.post(ADMIN, 'muni/return/audit/events', input, { token: superToken }))
    expectNoWholeTable(plans)
    // A count of one person's entries also stops at the cap.
    expect(maxRowsRead(plans, 'audit_event')).toBeLessThanOrEqual(1000)
  },
)

test('reads no whole table for days and months of one company', async () => {
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const companyId = Number(rows[0].id)
  expectNoWholeTable(
    await plansOf(async () => {
      for (const [path, body] of [
        ['admin/return/fee/days', { companyId, ...month }],
        ['admin/return/profit/months', { company: companyId, ...month }],
      ] as const)
        expect((await portal.post(ADMIN, path, body, { token: superToken })).status).toBe(200)
    }),
  )
})

nightly('nor does counting the days of every town, nor a look at a year of them', async () => {
  await portal.owner.query(`INSERT INTO figure_progress SELECT id, '2026-10-25', now() FROM company`)
  await portal.runJobs('analytics.roll_up')
  await portal.owner.query('VACUUM (ANALYZE) daily_figure, platform_daily_figure')
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const year = { fromDate: '2025-11-21', toDate: '2026-11-20', by: 'month' }
  expectNoWholeTable(
    await plansOf(async () => {
      for (const body of [year, { ...year, company: Number(rows[0].id) }])
        expect((await portal.post(ADMIN, 'admin/return/analytics', body, { token: superToken })).status).toBe(200)
      await portal.owner.query(`UPDATE figure_progress SET checked_at = checked_at - interval '2 days'`)
      await portal.runJobs('analytics.roll_up')
    }),
  )
})

test('reads no whole table to find a bill and open its checkout', async () => {
  expectNoWholeTable(
    await plansOf(async () => {
      const { body } = await portal.post(HOST, 'find/guest/bill', { accountNumber: 'A17', zip: '17011' })
      await portal.post(HOST, 'return/guest/checkout', { token: body.token })
    }),
  )
})

test('reads no whole table to sign in or make a call', async () => {
  expectNoWholeTable(await plansOf(() => portal.signIn(HOST, 'resident@maplegrove.example')))
})

test.each(['Seq Scan on payment_order', 'Parallel Seq Scan on public.ledger_transfer t'])(
  'refuses a plan with "%s"',
  (plan) => {
    expect(() => expectNoWholeTable([`duration: 1 ms  plan: ${plan} (cost=0.00..1.00)`])).toThrow()
  },
)
