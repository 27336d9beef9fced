import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { InCompany } from '../../server/tenancy.ts'
import { addDays, dateIn } from '../../shared/dates.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { addTestPlatformStaff, openPaidCompany } from '../../test/company.ts'
import { rollUp } from './server/roll-up.ts'
import { nightly } from '../../test/nightly.ts'

const ADMIN = 'admin.localhost'
const START = '2026-11-20T15:00:00Z'
const RUNS = process.env['NIGHTLY'] ? 100 : 2
const clock = testClock(START)
const portal = await testPortal({ clock })
let token = ''
let companies: { id: number; zone: string }[] = []

beforeAll(async () => {
  const maple = await openPaidCompany(portal, mapleGrove)
  const harbor = await openPaidCompany(portal, harborCity)
  await portal.owner.query(
    `UPDATE company SET timezone_id = (SELECT id FROM timezone WHERE zone = 'Pacific/Honolulu') WHERE id = $1`,
    [harbor],
  )
  // Migrations and seeds use the database's clock, so the test moves their dates to the test's clock.
  await portal.owner.query(
    `UPDATE person SET created_at = $1::timestamptz - id % 90 * interval '11 hours',
    email_confirmed_at = CASE WHEN id % 3 > 0 THEN $1::timestamptz - id % 60 * interval '9 hours' END`,
    [START],
  )
  await portal.owner.query(`UPDATE utility_account SET created_at = $1::timestamptz - interval '200 days'`, [START])
  await portal.owner.query(`UPDATE company SET created_at = $1::timestamptz - interval '200 days'`, [START])
  companies = [
    { id: maple, zone: 'America/New_York' },
    { id: harbor, zone: 'Pacific/Honolulu' },
  ]
  for (const { id } of companies) await addTroubles(id)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
})

/** Adds sign-ins of each kind, refused sign-ins, payment alerts and emails over two months, at every hour. */
async function addTroubles(id: number): Promise<void> {
  await portal.owner.query(
    `INSERT INTO audit_event (company_id, at, actor_kind, action, subject, detail)
     SELECT $1, $2::timestamptz - n * interval '7 hours', 'system', (ARRAY['sign_in.accepted', 'sign_in.accepted', 'sign_in.refused', 'sign_out'])[1 + n % 4],
       '1', jsonb_build_object('how', (ARRAY['password', 'passkey', 'sso', 'password + code', 'hand_off'])[1 + n % 5])
     FROM generate_series(1, 200) AS n`,
    [id, START],
  )
  await portal.owner.query(
    `INSERT INTO payment_alert (company_id, order_id, code, message, at)
     SELECT $1, (SELECT min(id) FROM payment_order WHERE company_id = $1), 'returned', 'Look at it', $2::timestamptz - n * interval '50 hours'
     FROM generate_series(1, 9) AS n`,
    [id, START],
  )
  await portal.owner.query(
    `INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, created_at, sent_at, last_error)
     SELECT $1, 'a@example.org', 's', 't', 'h', $2::timestamptz - n * interval '13 hours', CASE WHEN n % 4 = 0 THEN $2::timestamptz END, CASE WHEN n % 3 > 0 THEN '550' END
     FROM generate_series(1, 60) AS n`,
    [id, START],
  )
  // Each request has a different history: waiting, in progress, closed after hours or weeks, reopened, or invalid.
  await portal.owner.query(
    `INSERT INTO support_request (company_id, id, created_at, updated_at, status, closed_at, category, name, email, phone, account_number, address, city, state, zipcode, message)
     SELECT $1, $1 * 1000 + n, at, at, status, CASE WHEN status IN (2, 4) THEN at + n * interval '5 hours' END, 'site', 'A', 'a@example.org', '', '', '', '', '', '', 'Something is wrong'
     FROM generate_series(1, 50) AS n, LATERAL (SELECT $2::timestamptz - n * interval '23 hours' AS at, (ARRAY[0, 1, 2, 2, 3, 4])[1 + n % 6] AS status) x`,
    [id, START],
  )
  await portal.owner.query(
    `INSERT INTO status_history (company_id, machine, subject_id, seq, at, from_state, to_state, event, actor_kind, actor_name)
     SELECT company_id, 'support_request', id, step.n + 1, created_at + step.n * (coalesce(closed_at, created_at + interval '40 hours') - created_at) / 3,
       step.from_state, step.to_state, step.event, 'platform', 'B'
     FROM support_request r CROSS JOIN LATERAL (VALUES (0, '', '0', 'submit'), (1, '0', '1', 'start'), (2, '1', '2', 'complete'), (3, '2', '3', 'reopen')) AS step(n, from_state, to_state, event)
     WHERE company_id = $1 AND step.to_state::int <= CASE WHEN status = 4 THEN 0 ELSE status END
     UNION ALL SELECT company_id, 'support_request', id, 2, closed_at, '0', '4', 'invalidate', 'platform', 'B' FROM support_request WHERE company_id = $1 AND status = 4`,
    [id],
  )
}

/** Removes all counted figures. */
const forget = () => portal.owner.query('TRUNCATE daily_figure, platform_daily_figure, figure_progress, figure_walk')

beforeEach(async () => {
  clock.set(START)
  await forget()
})

type Figures = Record<string, { count: number; cents: number }>

async function figures(table = 'daily_figure', where = 'true'): Promise<Figures> {
  const of = table === 'daily_figure' ? `company_id || '/' ||` : ''
  const { rows } = await portal.owner.query<{ key: string; count: number; cents: number }>(
    `SELECT ${of} to_char(day, 'YYYY-MM-DD') || '/' || measure || '/' || part AS key, count::float8 AS count, cents::float8 AS cents
     FROM ${table} WHERE ${where} AND (count <> 0 OR cents <> 0)`,
  )
  return Object.fromEntries(rows.map(({ key, count, cents }) => [key, { count, cents }]))
}

/** Checks that the platform figures are the totals of all companies. */
async function expectSummed(): Promise<void> {
  const { rows } = await portal.owner.query(
    `SELECT day, measure, part, sum(count)::float8 AS count, sum(cents)::float8 AS cents FROM daily_figure GROUP BY 1, 2, 3
     EXCEPT SELECT day, measure, part, count::float8, cents::float8 FROM platform_daily_figure`,
  )
  expect(rows.filter(({ count, cents }) => count !== 0 || cents !== 0)).toEqual([])
  const { rows: more } = await portal.owner.query(
    `SELECT day, measure, part FROM platform_daily_figure p WHERE (count <> 0 OR cents <> 0)
     AND NOT EXISTS (SELECT FROM daily_figure d WHERE d.day = p.day AND d.measure = p.measure AND d.part = p.part)`,
  )
  expect(more).toEqual([])
}

/** Date formats by time zone. Creating a format costs more than using it ten thousand times. */
const clocks = new Map<string, Intl.DateTimeFormat>()
function dayIn(zone: string, at: Date): string {
  const formatter = clocks.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  clocks.set(zone, formatter)
  return formatter.format(at)
}

/** Counts the same figures row by row in JavaScript, up to the last day that the roll-up has counted. */
async function counted(): Promise<Figures> {
  const result: Figures = {}
  const read = async <Row>(query: string) => (await portal.owner.query<Row & { company_id: number }>(query)).rows
  const [people, accounts, links, transfers, events, steps, alerts, emails, requests, states] = await Promise.all([
    read<{ created_at: Date; email_confirmed_at: Date | null }>('SELECT * FROM person WHERE role_id = 1'),
    read<{ created_at: Date }>('SELECT * FROM utility_account'),
    read<{ account_id: number; linked_at: Date }>('SELECT * FROM linked_account ORDER BY linked_at'),
    read<{ at: Date; kind: string; amount: number; location: number; method: number }>(
      `SELECT t.*, t.amount_cents::float8 AS amount, o.location, o.method FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id`,
    ),
    read<{ at: Date; action: string; detail: { how: string } }>('SELECT * FROM audit_event'),
    read<{ at: Date; event: string }>(`SELECT * FROM status_history WHERE machine = 'order'`),
    read<{ at: Date }>('SELECT * FROM payment_alert'),
    read<{ created_at: Date }>('SELECT * FROM email_outbox WHERE sent_at IS NULL AND last_error IS NOT NULL'),
    read<{ created_at: Date; closed_at: Date | null }>('SELECT * FROM support_request'),
    read<{ subject_id: number; at: Date; to_state: string }>(
      `SELECT * FROM status_history WHERE machine = 'support_request' ORDER BY at, seq`,
    ),
  ])
  for (const { id, zone } of companies) {
    const today = dateIn(zone, clock.now())
    const add = (at: Date, measure: string, part: string, count = 1, cents = 0) => {
      const day = dayIn(zone, at)
      if (day > today) return
      const key = `${id}/${day}/${measure}/${part}`
      const before = result[key] ?? { count: 0, cents: 0 }
      result[key] = { count: before.count + count, cents: before.cents + cents }
    }
    const ownRows = <Row extends { company_id: number }>(rows: Row[]) => rows.filter((row) => row.company_id === id)
    for (const { created_at } of ownRows(people)) add(created_at, 'sign_ups', 'new')
    for (const { at, kind, amount, location, method } of ownRows(transfers))
      if (kind === 'capture.bill' || kind === 'capture.fee')
        add(at, 'payments', `${location}:${method}`, kind === 'capture.bill' ? 1 : 0, amount)
    for (const { at, action, detail } of ownRows(events)) {
      if (action === 'sign_in.accepted') add(at, 'sign_ins', detail.how.split(' + ')[0] ?? '')
      if (action === 'sign_in.refused') add(at, 'failures', 'sign_in')
    }
    for (const { at, event } of ownRows(steps))
      if (event === 'declined' || event === 'returned') add(at, 'failures', event)
    for (const { at } of ownRows(alerts)) add(at, 'failures', 'alert')
    for (const { created_at } of ownRows(emails)) add(created_at, 'failures', 'mail')
    for (const { created_at, closed_at } of ownRows(requests)) {
      add(created_at, 'requests_received', 'received')
      const hours = closed_at ? (closed_at.getTime() - created_at.getTime()) / 3_600_000 : 0
      const waited = hours <= 24 ? 'day' : hours <= 72 ? 'three_days' : hours <= 168 ? 'week' : 'longer'
      if (closed_at) add(closed_at, 'requests_closed', waited)
    }
    const { rows } = await portal.owner.query<{ first: string }>(
      `SELECT to_char(min(day), 'YYYY-MM-DD') AS first FROM daily_figure WHERE company_id = $1`,
      [id],
    )
    const linked = new Map(
      ownRows(links)
        .toReversed()
        .map(({ account_id, linked_at }) => [account_id, linked_at]),
    )
    const days = (times: readonly (Date | null)[]) => times.flatMap((at) => (at ? [dayIn(zone, at)] : []))
    const since = {
      signedUp: days(ownRows(people).map(({ created_at }) => created_at)),
      confirmed: days(ownRows(people).map((person) => person.email_confirmed_at)),
      accounts: days(ownRows(accounts).map(({ created_at }) => created_at)),
      linked: days([...linked.values()]),
    }
    for (let day = rows[0]?.first ?? today; day <= today; day = addDays(day, 1)) {
      const stood = (days: readonly string[]) => days.filter((since) => since <= day).length
      const stocks: Record<string, number> = {
        'residents/signed_up': stood(since.signedUp),
        'residents/confirmed': stood(since.confirmed),
        'utility_accounts/all': stood(since.accounts),
        'utility_accounts/linked': stood(since.linked),
      }
      // The last transition of a request up to the end of a day determines its state on that day.
      const stands = new Map(
        ownRows(states).flatMap(({ subject_id, at, to_state }) =>
          dayIn(zone, at) <= day ? [[subject_id, to_state]] : [],
        ),
      )
      for (const status of stands.values()) {
        const name = `requests/${status}`
        stocks[name] = (stocks[name] ?? 0) + 1
      }
      for (const [name, count] of Object.entries(stocks))
        if (count > 0) result[`${id}/${day}/${name}`] = { count, cents: 0 }
    }
  }
  return result
}

/**
 * Runs a roll-up that stops in transaction number `index`, before or after the commit. Simulates a process that dies.
 */
async function killed(index: number, after: boolean): Promise<void> {
  let left = index
  class Killed extends Error {}
  const dead = () => Promise.reject(new Killed())
  const inCompany: InCompany = async (company, work) => {
    left -= 1
    if (left < 0) return dead()
    if (left > 0) return portal.context.inCompany(company, work)
    const response = await portal.context.inCompany(company, async (tx) => {
      const done = await work(tx)
      if (!after) throw new Killed()
      return done
    })
    return after ? dead() : response
  }
  const outside: typeof portal.context.outside = (work) => (left <= 0 ? dead() : portal.context.outside(work))
  await rollUp({ ...portal.context, inCompany, outside }).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
}

describe('daily figures', () => {
  test('equal a count of all rows by each company’s day, with totals', async () => {
    await portal.runJobs('analytics.roll_up')
    const direct = await counted()
    expect(Object.keys(direct).length).toBeGreaterThan(500)
    expect(await figures()).toEqual(direct)
    await expectSummed()
  })

  nightly('are the same however often they are counted; a town where nothing happened is passed by', async () => {
    expect(await rollUp(portal.context)).toEqual({ counted: 2, quiet: 0 })
    const once = [await figures(), await figures('platform_daily_figure')]
    await portal.owner.query("UPDATE figure_progress SET checked_at = checked_at - interval '2 days'")
    expect(await rollUp(portal.context)).toEqual({ counted: 2, quiet: 0 })
    expect([await figures(), await figures('platform_daily_figure')]).toEqual(once)
    clock.advance(15 * 60_000)
    await rollUp(portal.context)
    clock.advance(15 * 60_000)
    expect(await rollUp(portal.context)).toEqual({ counted: 0, quiet: 2 })
    await portal.signIn('maplegrove.localhost', 'staff@maplegrove.example')
    expect(await rollUp(portal.context)).toEqual({ counted: 1, quiet: 1 })
    expect(await figures()).toEqual(await counted())
  })

  test('include rows up to three days late and drop corrected ones', async () => {
    await rollUp(portal.context)
    const [maple] = companies
    const late = (days: number) =>
      portal.owner.query(
        `INSERT INTO payment_alert (company_id, order_id, code, message, at)
         SELECT company_id, min(id), 'late', 'm', $2::timestamptz FROM payment_order WHERE company_id = $1 GROUP BY 1`,
        [maple?.id, new Date(Date.parse(START) - days * 86_400_000)],
      )
    const before = await figures('daily_figure', `measure = 'failures'`)
    await late(2)
    await late(6)
    await portal.owner.query(
      `UPDATE email_outbox SET sent_at = $1 WHERE created_at > $1::timestamptz - interval '2 days'`,
      [START],
    )
    clock.advance(86_400_000)
    expect(await rollUp(portal.context)).toEqual({ counted: 2, quiet: 0 })
    const after = await figures('daily_figure', `measure = 'failures'`)
    const alerts = (all: Figures, day: string) => all[`${maple?.id}/${day}/failures/alert`]?.count ?? 0
    expect(alerts(after, '2026-11-18')).toBe(alerts(before, '2026-11-18') + 1)
    expect(alerts(after, '2026-11-14'), 'what comes later than that is not looked for').toBe(
      alerts(before, '2026-11-14'),
    )
    expect(after[`${maple?.id}/2026-11-20/failures/mail`]).toBeUndefined()
    await expectSummed()
    await portal.owner.query(`DELETE FROM payment_alert WHERE code = 'late'`)
    await portal.owner.query(
      `UPDATE email_outbox SET sent_at = NULL WHERE created_at > $1::timestamptz - interval '2 days'`,
      [START],
    )
  })

  nightly('catch up after the job stood still for weeks', async () => {
    await rollUp(portal.context)
    clock.advance(70 * 86_400_000)
    await portal.signIn('maplegrove.localhost', 'staff@maplegrove.example')
    await rollUp(portal.context)
    expect(await figures()).toEqual(await counted())
    await expectSummed()
    await portal.owner.query('DELETE FROM audit_event WHERE at > $1', [new Date(Date.parse(START) + 86_400_000)])
  })

  test(
    `keep whole days and correct totals after any crash (${RUNS} runs)`,
    async () => {
      await rollUp(portal.context)
      const whole = [await figures(), await figures('platform_daily_figure')]
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ nth: fc.integer({ min: 1, max: 30 }), after: fc.boolean() }), {
            minLength: 1,
            maxLength: 3,
          }),
          async (deaths) => {
            await forget()
            for (const { nth, after } of deaths) {
              await killed(nth, after)
              await expectSummed()
            }
            await rollUp(portal.context)
            expect([await figures(), await figures('platform_daily_figure')]).toEqual(whole)
          },
        ),
        { numRuns: RUNS },
      )
    },
    RUNS * 8000,
  )

  nightly('two portals that count at once count nothing twice', async () => {
    await Promise.all([rollUp(portal.context), rollUp(portal.context), rollUp(portal.context)])
    expect(await figures()).toEqual(await counted())
    await expectSummed()
  })

  test('are counted despite errors in another company, with an older time shown', async () => {
    await rollUp(portal.context)
    const { asOf } = await loadAnalytics()
    clock.advance(86_400_000)
    const inCompany: InCompany = (company, work) =>
      company === companies[0]?.id ? Promise.reject(new Error('planted')) : portal.context.inCompany(company, work)
    expect(await rollUp({ ...portal.context, inCompany })).toEqual({ counted: 1, quiet: 0 })
    token = await portal.signIn(ADMIN, 'super@mainstreet.example')
    expect((await loadAnalytics()).asOf).toBe(asOf)
    expect((await loadAnalytics({ company: companies[1]?.id })).asOf).toBe(clock.now().toISOString())
  })
})

const month = { fromDate: '2026-10-22', toDate: '2026-11-20' }
const loadAnalytics = async (more: object = {}) => {
  const response = await portal.post(ADMIN, 'admin/return/analytics', { ...month, ...more }, { token })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body as {
    asOf: string | null
    before: { fromDate: string; toDate: string; counted: boolean }
    points: string[]
    measures: {
      name: string
      parts: {
        part: string
        count: number
        cents: number
        before: { count: number }
        counts: number[]
        centsAt: number[]
      }[]
    }[]
  }
}
const partsOf = async (name: string, more: object = {}) =>
  (await loadAnalytics(more)).measures.find((measure) => measure.name === name)?.parts ?? []

describe('Analytics', () => {
  test('reports that no figures were counted yet', async () => {
    expect(await loadAnalytics()).toMatchObject({ asOf: null, before: { counted: false } })
    expect((await loadAnalytics()).measures.every(({ parts }) => parts.length === 0)).toBe(true)
  })

  test('compares a period by day or month, of one or all companies', async () => {
    await portal.runJobs('analytics.roll_up')
    const all = await figures()
    const sumOf = (measure: string, from: string, to: string, id?: number) =>
      Object.entries(all).reduce(
        (sum, [key, { count, cents }]) => {
          const [company, day = '', name] = key.split('/')
          const in_ = name === measure && day >= from && day <= to && (id === undefined || company === String(id))
          return in_ ? { count: sum.count + count, cents: sum.cents + cents } : sum
        },
        { count: 0, cents: 0 },
      )
    for (const id of [undefined, companies[0]?.id, companies[1]?.id])
      for (const by of ['day', 'month'])
        for (const name of ['payments', 'sign_ins', 'failures', 'sign_ups']) {
          const { points, before } = await loadAnalytics({ company: id, by })
          const parts = await partsOf(name, { company: id, by })
          const add = (pick: (part: (typeof parts)[number]) => number) =>
            parts.reduce((sum, part) => sum + pick(part), 0)
          expect(points).toHaveLength(by === 'day' ? 30 : 2)
          expect(before).toEqual({ fromDate: '2026-09-22', toDate: '2026-10-21', counted: true })
          expect({ count: add(({ count }) => count), cents: add(({ cents }) => cents) }).toEqual(
            sumOf(name, month.fromDate, month.toDate, id),
          )
          expect(add((part) => part.before.count)).toBe(sumOf(name, '2026-09-22', '2026-10-21', id).count)
          for (const { counts, count, centsAt, cents } of parts) {
            expect(counts.reduce((sum, one) => sum + one, 0)).toBe(count)
            expect(centsAt.reduce((sum, one) => sum + one, 0)).toBe(cents)
          }
        }
  })

  test('shows a stock at the period’s end or last common day', async () => {
    // The date is already the 20th in Maple Grove, but still the 19th in Honolulu.
    clock.set('2026-11-20T06:00:00Z')
    await portal.runJobs('analytics.roll_up')
    const all = await figures()
    const stood = (id: number, day: string) => all[`${id}/${day}/residents/signed_up`]?.count ?? 0
    const [maple, harbor] = companies as [(typeof companies)[number], (typeof companies)[number]]
    const [one] = await partsOf('residents', { company: maple.id })
    expect(one).toMatchObject({ part: 'signed_up', count: stood(maple.id, '2026-11-20') })
    expect(one?.before.count).toBe(stood(maple.id, '2026-10-21'))
    const [together] = await partsOf('residents')
    expect(together?.count).toBe(stood(maple.id, '2026-11-19') + stood(harbor.id, '2026-11-19'))
    expect(together?.counts.at(-1)).toBe(together?.count)
  })

  test('streams each measure of one or all companies as audited CSV', async () => {
    await portal.runJobs('analytics.roll_up')
    const parts = await partsOf('payments')
    const csv = async (body: object) => {
      const { body: ticket } = await portal.post(ADMIN, 'admin/export/analytics', { ...month, ...body }, { token })
      const file = await portal.get(ADMIN, ticket.url)
      return { name: String(file.headers['content-disposition']), lines: String(file.body).trim().split('\n') }
    }
    const { name, lines } = await csv({ measure: 'payments', by: 'month' })
    expect(name).toContain('analytics-payments-platform-2026-11-20.csv')
    expect(lines[0]).toBe('Month,Payments,Count,Amount')
    const cents = lines.slice(1).reduce((sum, line) => sum + Math.round(Number(line.split(',').at(-1)) * 100), 0)
    expect(cents).toBe(parts.reduce((sum, part) => sum + part.cents, 0))
    const companyCsv = await csv({ measure: 'residents', company: companies[0]?.id })
    expect(companyCsv.name).toContain('analytics-residents-maplegrove')
    expect(companyCsv.lines[0]).toBe('Day,Residents,Count')
    expect(companyCsv.lines).toHaveLength(1 + 2 * 30)
    const { rows } = await portal.owner.query(
      `SELECT detail->>'measure' AS measure FROM platform_audit_event WHERE action = 'export.analytics' ORDER BY id`,
    )
    expect(rows.map(({ measure }) => measure)).toEqual(['payments', 'residents'])
  })

  test('requires the platform’s report privilege and an existing company', async () => {
    expect((await portal.post(ADMIN, 'admin/return/analytics', { ...month, company: 99_999 }, { token })).status).toBe(
      404,
    )
    const callCenter = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const callApi = (path: string, body: object) =>
      portal.post(ADMIN, path, { ...month, ...body }, { token: callCenter })
    expect((await callApi('admin/return/analytics', {})).status).toBe(403)
    await portal.owner.query(
      `UPDATE platform_person SET privileges = '{"reports_admin": 1}' WHERE email = 'callcenter@mainstreet.example'`,
    )
    expect((await callApi('admin/return/analytics', {})).status).toBe(200)
    expect((await callApi('admin/export/analytics', { measure: 'payments' })).status).toBe(403)
  })
})
