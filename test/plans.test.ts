import { fillWithPayments } from '../bench/rows.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { writeUnchecked } from './generated-rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { nightly } from './nightly.ts'
import { expectNoWholeTable as expectNone, mostRowsRead, type PlannedPortal, portalWithPlans } from './plans.ts'
import { addTestPlatformStaff, openTestTown } from './town.ts'

/**
 * The plans that PostgreSQL makes for what people do most, on tables large enough that reading one whole would hurt. What
 * lists ask is in `lists-plans.test.ts`. The database tells each plan as it runs it, so that what is looked at is what the
 * portal really asks.
 */

const TOWN = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const LARGE = [
  ...['payment_order', 'payment_day', 'ledger_transfer', 'utility_account', 'audit_event', 'person', 'linked_account'],
  ...['daily_figure', 'status_history', 'mail_outbox', 'payment_order_line'],
]

/** So many that a plan which reads a table whole costs more than any other. */
const PAYMENTS = 15_000

let portal: PlannedPortal
let token = ''
let superToken = ''

beforeAll(async () => {
  const database = await testDatabase()
  // The first to connect: a connection that is older would tell no plans.
  portal = await portalWithPlans(database)
  await openTestTown({ db: database.pools, clock: testClock() }, mapleGrove)
  await fillWithPayments(database.owner, PAYMENTS, testClock().now())
  await writeUnchecked(database.owner, async (client) => {
    await fillWithSignIns(client)
    await fillWithResidents(client)
    await fillWithSteps(client)
  })
  await addTestPlatformStaff({ db: database.pools, clock: testClock() })
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  token = await portal.signIn(TOWN, 'staff@maplegrove.example')
}, 120_000)

/** A quarter of sign-ins, among five times as many other events; every twentieth of all was done by one of the staff. */
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

/** What every payment went through, and the receipt that was mailed for it. */
async function fillWithSteps(owner: pg.PoolClient): Promise<void> {
  await owner.query(`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name)
    SELECT company_id, 'order', id, s.seq, s.from_state, s.to_state, s.event, created_at, 'system', 'Mainstreet'
    FROM payment_order CROSS JOIN (VALUES (1, '', '0', 'created'), (2, '0', '1', 'captured')) AS s(seq, from_state, to_state, event)`)
  await owner.query(`
    INSERT INTO mail_outbox (company_id, to_address, subject, text_body, html_body, created_at, sent_at)
    SELECT company_id, payer_email, 'Receipt', '', '', created_at, created_at FROM payment_order`)
  await owner.query('ANALYZE status_history, mail_outbox')
}

/** A resident for every utility account; in Maple Grove, for every second one, and 5000 without an account. */
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
const expectNoWholeTable = (found: readonly string[]) => expectNone(found, LARGE)

const report = async (question: object) => {
  const asked = { filters: {}, ...question }
  const { status, body } = await portal.post(TOWN, 'muni/return/payment/transactions', asked, { token })
  expect(status).toBe(200)
  return body
}
const month = { fromDate: '2026-10-21', toDate: '2026-11-20' }

test.each([
  ['a month', { filters: month }],
  ['a month by card at the counter', { filters: { ...month, method: 1, location: 4 } }],
  ['everything', {}],
])('the totals of %s add up days, not payments', async (_what, question) => {
  const plans = await plansOf(() => report({ ...question, pageSize: 1 }))
  expect(mostRowsRead(plans, 'payment_day')).toBeGreaterThan(0)
  expect(mostRowsRead(plans, 'ledger_transfer')).toBe(0)
  // What is counted up to its cap.
  expect(mostRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(1000)
})

test('a search of a few weeks reads few payments, by the index of texts or of time', async () => {
  const plans = await plansOf(() => report({ filters: month, search: 'itak' }))
  expect(mostRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(600)
  expect(mostRowsRead(plans, 'ledger_transfer')).toBe(0)
})

test('a town’s totals may be larger than any payment', async () => {
  await portal.owner.query('UPDATE payment_day SET bill_cents = bill_cents * 100000')
  const { totals } = await report({ pageSize: 1 })
  expect(totals.amountCents).toBeGreaterThan(1e12)
  await portal.owner.query('UPDATE payment_day SET bill_cents = bill_cents / 100000')
})

test('a page that is turned to asks for no totals', async () => {
  const { next: cursor } = await report({ totals: true })
  const plans = await plansOf(async () => {
    expect(await report({ cursor, totals: false })).toMatchObject({ count: null, totals: null })
  })
  expect(mostRowsRead(plans, 'payment_day')).toBe(0)
  expect(mostRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(11)
})

test('a year of the merchant overview adds up days, and walks indexes to what went wrong', async () => {
  await portal.owner.query(
    `INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account, error_code, created_at, checked_at)
     SELECT company_id, id, 1, 'plan-' || id, CASE WHEN id % 50 = 0 THEN 2 ELSE 1 END, CASE WHEN id % 50 = 0 THEN 'failed' ELSE 'succeeded' END,
       'sandbox', 'plan', CASE WHEN id % 50 = 0 THEN 'insufficient_funds' END, created_at, created_at FROM payment_order;
     UPDATE payment_order SET return_code = 'R01' WHERE id % 200 = 0`,
  )
  await portal.owner.query('VACUUM (ANALYZE) payment_attempt, payment_order')
  const year = { fromDate: '2025-11-21', toDate: '2026-11-20' }
  const plans = await plansOf(async () => {
    const { status, body } = await portal.post(TOWN, 'muni/return/merchant/overview', year, { token })
    expect(status).toBe(200)
    expect(body.volume.now.payments).toBeGreaterThan(PAYMENTS / 20)
  })
  expectNone(plans, [...LARGE, 'payment_attempt'])
  expect(mostRowsRead(plans, 'payment_day')).toBeGreaterThan(0)
  // No more than the town's own of both years.
  expect(mostRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(PAYMENTS / 4)
  expect(mostRowsRead(plans, 'payment_attempt')).toBeLessThanOrEqual(PAYMENTS / 10)
})

test('the figures of Form 1099-K are those of days', async () => {
  const plans = await plansOf(async () => {
    expect((await portal.post(TOWN, 'muni/return/form/1099k', { year: 2026 }, { token })).status).toBe(200)
  })
  expectNoWholeTable(plans)
  expect(mostRowsRead(plans, 'payment_order')).toBeLessThanOrEqual(50)
})

test('the list of notices walks mails and texts along their time', async () => {
  const plans = await plansOf(async () => {
    const asked = { filters: month, totals: false }
    expect((await portal.post(TOWN, 'muni/return/notices', asked, { token })).status).toBe(200)
  })
  expectNoWholeTable(plans)
  expect(mostRowsRead(plans, 'mail_outbox')).toBeLessThanOrEqual(20)
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

test('an export of what a search finds has every row, however many there are', async () => {
  const filters = { ...noFilters, profiles: true }
  const body = { search: 'example', filters }
  const { body: ticket } = await portal.post(TOWN, 'muni/export/utility/customers', body, { token })
  const csv = String((await portal.get(TOWN, ticket.url)).body)
  expect(csv.split('\n').filter((line) => /none\d+@example/.test(line))).toHaveLength(5000)
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

test.each([['of one person', { search: 'staff@maplegrove.example' }]])(
  'nor does the audit log: %s',
  async (_what, question) => {
    const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
    const asked = { ...question, companyId: Number(rows[0].id) }
    const plans = await plansOf(() => portal.post(ADMIN, 'muni/return/audit/events', asked, { token: superToken }))
    expectNoWholeTable(plans)
    // What one person did is counted up to the cap too, not all of it.
    expect(mostRowsRead(plans, 'audit_event')).toBeLessThanOrEqual(1000)
  },
)

test('nor do the days and months of one town', async () => {
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
      await portal.owner.query(`UPDATE figure_progress SET looked_at = looked_at - interval '2 days'`)
      await portal.runJobs('analytics.roll_up')
    }),
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

test('nor does signing in, or any call of a session', async () => {
  expectNoWholeTable(await plansOf(() => portal.signIn(TOWN, 'resident@maplegrove.example')))
})

test.each(['Seq Scan on payment_order', 'Parallel Seq Scan on public.ledger_transfer t'])(
  'a plan with "%s" is refused',
  (plan) => {
    expect(() => expectNoWholeTable([`duration: 1 ms  plan: ${plan} (cost=0.00..1.00)`])).toThrow()
  },
)
