import { beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../../database/random.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { addDays, daysBetween } from '../../shared/dates.ts'
import { COUNT_CAP } from '../../shared/table.ts'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { seed } from '../../test/seed.ts'
import { addTestPlatformStaff, openTestCompany } from '../../test/company.ts'
import { verifyRequests } from './server/request-sums.ts'

const MAPLE = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const REPORT = 'muni/return/communication/report'

let portal: TestPortal
let maple = 0
let token = ''
let superToken = ''

beforeAll(async () => {
  portal = await testPortal()
  maple = await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await fill()
  token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
})

/**
 * Inserts requests that span more than a year. They have all statuses. Some are overdue, some are spam, and some are
 * merged.
 */
async function fill(): Promise<void> {
  const { rows } = await portal.owner.query<{ id: string }>(
    `INSERT INTO request_category (company_id, name, target_days) SELECT $1, 'Kind ' || n, 5 FROM generate_series(1, 3) n RETURNING id`,
    [maple],
  )
  await portal.owner.query(
    `INSERT INTO service_request (company_id, id, created_at, updated_at, status, closed_at, category_id, title, description, name, email, due_at, is_spam, merged_into)
     SELECT $1, 20250000000 + n, at, at, status, CASE WHEN status IN (2, 4, 5) THEN at + n % 9 * interval '1 day' END, ($3::bigint[])[1 + n % 3],
       'Kind', 'Something in the street', 'Ann Lee', '', at + interval '5 days', status = 4 AND n % 5 = 0, CASE WHEN status = 4 AND n % 7 = 0 THEN 20250000001 END
     FROM generate_series(1, 900) n, LATERAL (SELECT $2::timestamptz - n * interval '11 hours' AS at, n % 6 AS status) d`,
    [maple, portal.clock.now(), rows.map(({ id }) => Number(id))],
  )
  await portal.owner.query('SELECT recount_requests($1)', [maple])
}

const one = async (query: string, values: unknown[] = []) => (await portal.owner.query(query, values)).rows[0]
const done = async (path: string, body: object) => {
  const response = await portal.post(MAPLE, path, body, { token })
  expect(response.status, response.body.message).toBe(200)
  return response.body
}
const reported = async (question: object = {}) => {
  const { count, totals } = await done(REPORT, { pageSize: 1, ...question })
  return { count, totals }
}

interface RequestSumsQuery {
  fromDate?: string
  toDate?: string
  status?: number | 'open' | 'spam' | 'merged'
  category?: number
}

/** Adds up the requests one by one. The test compares the result with the stored sums. */
async function walked({ fromDate, toDate, status, category }: RequestSumsQuery) {
  const conditions = { spam: 'r.is_spam', merged: 'r.merged_into IS NOT NULL', open: 'r.status IN (0, 1, 3)' }
  const totals = await one(
    `SELECT count(*)::int AS requests, count(*) FILTER (WHERE r.status = 2)::int AS completed,
       count(*) FILTER (WHERE r.due_at < coalesce(r.closed_at, $2))::int AS late
     FROM service_request r JOIN company c ON c.id = r.company_id JOIN timezone z ON z.id = c.timezone_id,
       LATERAL (SELECT (r.created_at AT TIME ZONE z.zone)::date AS day) d
     WHERE r.company_id = $1 AND ($3::date IS NULL OR day >= $3) AND ($4::date IS NULL OR day <= $4)
       AND ($5::bigint IS NULL OR r.category_id = $5) AND ($6::int IS NULL OR r.status = $6)
       AND ${typeof status === 'string' ? conditions[status] : 'true'}
       AND ${status === 'spam' || status === 'merged' ? 'true' : 'NOT r.is_spam AND r.merged_into IS NULL'}`,
    [
      maple,
      portal.clock.now(),
      fromDate ?? null,
      toDate ?? null,
      category ?? null,
      typeof status === 'number' ? status : null,
    ],
  )
  return { count: Math.min(totals.requests, COUNT_CAP), totals }
}

const violations = async () => {
  const { acrossCompanies } = portal.context
  const { findings } = await verifyRequests({ config: portal.config, platformUrl: '', acrossCompanies, outside: false })
  expect(findings.every(({ looked }) => looked > 0)).toBe(true)
  return findings.filter((finding) => finding.violations > 0).flatMap(({ first }) => first)
}

const statuses = [undefined, 0, 1, 2, 3, 4, 5, 'open', 'spam', 'merged'] as const

describe('totals of the Communication Report', () => {
  it('equal the requests for any days, status and category', async () => {
    const random = randomFrom(seed)
    const { first, last } = await one(
      `SELECT min(created_at)::date::text AS first, max(created_at)::date::text AS last FROM service_request WHERE company_id = $1`,
      [maple],
    )
    const { rows } = await portal.owner.query('SELECT id FROM request_category WHERE company_id = $1', [maple])
    const day = () => addDays(first, random.int(-40, daysBetween(first, last) + 40))
    const ranges: RequestSumsQuery[] = [
      {},
      { fromDate: '2026-10-01', toDate: '2026-10-31' },
      { fromDate: '2026-09-30', toDate: '2026-11-01' },
      { fromDate: '2026-10-02', toDate: '2026-10-30' },
      { fromDate: '2026-11-20', toDate: '2026-11-01' },
      ...Array.from({ length: 25 }, (): RequestSumsQuery => {
        const [a, b] = [day(), day()].toSorted()
        return {
          ...(random.chance(0.8) && { fromDate: a }),
          ...(random.chance(0.8) && { toDate: b }),
        } as RequestSumsQuery
      }),
    ]
    for (const range of ranges)
      for (const status of statuses) {
        const category = random.chance(0.3) ? Number(random.pick(rows).id) : undefined
        const filters = {
          ...range,
          ...(status !== undefined && { status }),
          ...(category && { category }),
        } as RequestSumsQuery
        expect([filters, await reported({ filters })]).toEqual([filters, await walked(filters)])
      }
  })

  it('follow each step of a request', async () => {
    const open = async () =>
      Number(
        (
          await one(
            'SELECT id FROM service_request WHERE company_id = $1 AND status IN (0, 1, 3) ORDER BY id DESC LIMIT 1',
            [maple],
          )
        ).id,
      )
    const step = (id: number, event: string) =>
      done('muni/change/communication/status', { subjectId: id, event, reason: 'Because of that.' })
    const mark = (id: number, spam: boolean) => done('muni/mark/communication/spam', { subjectId: id, spam })
    const before = (await reported()).totals
    const id = await open()
    await step(id, 'complete')
    expect((await reported()).totals).toMatchObject({ requests: before.requests, completed: before.completed + 1 })
    await step(id, 'reopen')
    expect((await reported()).totals).toEqual(before)
    await step(id, 'invalidate')
    const second = await open()
    await mark(second, true)
    expect((await reported()).totals.requests).toBe(before.requests - 1)
    await mark(second, false)
    expect((await reported()).totals.requests).toBe(before.requests)
    expect(await violations()).toEqual([])
  })

  it('move to other days with the time zone of the municipality', async () => {
    const { config } = (
      await portal.post(ADMIN, 'admin/return/company/config', { companyId: maple }, { token: superToken })
    ).body
    const { id } = await one(`SELECT id FROM timezone WHERE zone = 'Pacific/Honolulu'`)
    const values = { ...config.details, timezone_id: Number(id) }
    const body = { companyId: maple, section: 'details', values }
    expect((await portal.post(ADMIN, 'admin/save/company/config', body, { token: superToken })).status).toBe(200)
    expect(await violations()).toEqual([])
    const filters = { fromDate: '2026-11-03', toDate: '2026-11-17' }
    expect(await reported({ filters })).toEqual(await walked(filters))
  })

  it('are missing for a long search until staff request them', async () => {
    await portal.owner.query(
      `INSERT INTO service_request (company_id, id, created_at, updated_at, category_id, title, description, name, email, due_at)
       SELECT company_id, 20190000000 + n, created_at, updated_at, category_id, title, 'A swarm of bees', name, email, due_at
       FROM (SELECT * FROM service_request WHERE company_id = $1 AND status IN (0, 1, 3) LIMIT 1) r, generate_series(1, $2) n`,
      [maple, COUNT_CAP],
    )
    expect(await reported({ search: 'swarm bees' })).toEqual({ count: COUNT_CAP, totals: null })
    const all = await reported({ search: 'swarm bees', totals: 'all' })
    expect(all).toMatchObject({ count: COUNT_CAP, totals: { requests: COUNT_CAP, completed: 0 } })
    await portal.owner.query('DELETE FROM service_request WHERE company_id = $1 AND id = 20190000001', [maple])
    expect(await reported({ search: 'swarm bees' })).toMatchObject({
      count: COUNT_CAP - 1,
      totals: { requests: COUNT_CAP - 1 },
    })
  })
})

it('finds a wrong sum of closed requests with npm run verify', async () => {
  await portal.owner.query(
    `UPDATE request_sum SET late = late + 1 WHERE ctid = (SELECT min(ctid) FROM request_sum WHERE company_id = $1)`,
    [maple],
  )
  expect(await violations()).toHaveLength(1)
  await portal.owner.query('DELETE FROM request_sum WHERE company_id = $1', [maple])
  expect((await violations()).length).toBeGreaterThan(1)
})
