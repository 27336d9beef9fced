import type pg from 'pg'
import { inTurns, p95, type Row, timeRow } from './measure.ts'
import { type BenchPortal, openPortal, type BenchEnvironment, plain } from './environment.ts'
import { liftLimits } from '../test/databases.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'

const PEOPLE = 200
const RESERVATIONS = 5000

const season = {
  from: '01-01',
  until: '12-31',
  days: [1, 2, 3, 4, 5, 6, 7],
  opens: '00:00',
  closes: '24:00',
  percent: 100,
}
const resource = {
  name: 'Pavilion',
  kind: 'pavilion',
  status: 'open',
  description: '',
  location: '',
  resourceRules: '',
  amenities: '',
  accessibility: '',
  capacity: 0,
  pieces: 1,
  needsApproval: false,
  seasons: [season],
  closedOnHolidays: false,
  stepMinutes: 60,
  minMinutes: 60,
  maxMinutes: 600,
  noticeHours: 0,
  aheadDays: 400,
  beforeMinutes: 0,
  afterMinutes: 0,
  chargedBy: 'hour',
  residentCents: 0,
  otherCents: 0,
  depositCents: 0,
  addons: [],
  refundDays: 7,
  latePercent: 0,
  agreement: '',
  door: '',
  glAccount: '400',
}

/**
 * Times 200 people who book the same hour at the same moment. Compares them with 200 plain inserts, where the exclusion
 * constraint accepts only one. Also times a calendar feed of 5,000 reservations against the statement that reads its
 * rows.
 */
export async function rentals(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const { owner } = database
  const { rows: companies } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const company = companies[0]?.id ?? 0
  const portal = await openPortal(database, environment.folder)
  const [admin, resident] = await Promise.all(['admin', 'resident'].map((role) => signIn(portal, company, role)))
  const { resourceId } = await portal.post<{ resourceId: number }>('muni/add/rental/resource', resource, admin)
  const { spaces } = await portal.post<{ spaces: { id: number }[] }>(
    'muni/return/rental/resource',
    { resourceId },
    admin,
  )
  const spaceId = spaces[0]?.id ?? 0
  await liftLimits(owner)
  const rows = [
    await crowd(portal, owner, { company, resourceId, spaceId, headers: resident ?? {} }),
    await feed(portal, await plain(database), owner, { company, resourceId, spaceId, headers: admin ?? {} }),
  ]
  await portal.close()
  await database.drop()
  return rows
}

interface Setting {
  company: number
  resourceId: number
  spaceId: number
  headers: Record<string, string>
}

async function signIn(portal: BenchPortal, companyId: number, role: string): Promise<Record<string, string>> {
  const body = { companyId, email: `${role}@maplegrove.example`, password: DEMO_PASSWORD }
  const { token } = await portal.post<{ token: string }>('login', body)
  return { authorization: `Bearer ${token}` }
}

/** Returns the day to book in an iteration. Each iteration uses a different day. */
const dayOf = (iteration: number) => new Date(Date.now() + (30 + iteration) * 86_400_000).toISOString().slice(0, 10)

async function crowd(portal: BenchPortal, owner: pg.Pool, { company, resourceId, spaceId, headers }: Setting) {
  const body = {
    ...{ resourceId, spaceId, pieces: 1, addons: [], purpose: 'Race', guests: 0, phone: '', agrees: true },
    ...{ quotedCents: 0, from: '10:00', until: '12:00' },
  }
  const book = (iteration: number) =>
    portal.app.inject({
      ...{ method: 'POST', url: '/api/v2/book/rental', payload: { ...body, day: dayOf(iteration) } },
      headers: { host: 'maplegrove.localhost', ...headers, 'idempotency-key': crypto.randomUUID() },
    })
  await owner.query(`
    CREATE TABLE bench_time (space int, period tstzrange, EXCLUDE USING gist (space WITH =, period WITH &&))`)
  const times = await inTurns(
    20,
    async (iteration) => {
      const responses = await Promise.all(Array.from({ length: PEOPLE }, () => book(iteration)))
      const winners = responses.filter(({ statusCode }) => statusCode === 200).length
      if (winners !== 1) throw new Error(`${winners} of ${PEOPLE} people got the same hour: ${responses[0]?.body}`)
    },
    (iteration) =>
      Promise.all(
        Array.from({ length: PEOPLE }, () =>
          owner.query(`INSERT INTO bench_time VALUES ($1, tstzrange($2, $3)) ON CONFLICT DO NOTHING`, [
            ...[company, `${dayOf(iteration)}T10:00Z`, `${dayOf(iteration)}T12:00Z`],
          ]),
        ),
      ),
    p95,
  )
  return timeRow(`${PEOPLE} people book the same hour at the same moment (p95 of the last response)`, times, null)
}

async function feed(portal: BenchPortal, client: pg.Client, owner: pg.Pool, setting: Setting): Promise<Row> {
  const { company, resourceId, spaceId, headers } = setting
  await owner.query(
    `INSERT INTO rental_reservation (company_id, resource_id, space_id, title, starts_at, ends_at, status, name, purpose,
       price_cents, changes, created_at, updated_at)
     SELECT $1, $2, $3, repeat('Larger than usual; ', 1 + n % 9), at, at + interval '1 hour',
       CASE WHEN n % 9 = 0 THEN 'cancelled' ELSE 'confirmed' END, 'Ann ' || n, E'Line one\\nand, two', 0, n % 4, now(), now()
     FROM generate_series(1, $4::int) n, LATERAL (SELECT now() + n * interval '2 hours' AS at) t`,
    [company, resourceId, spaceId, RESERVATIONS],
  )
  await owner.query('ANALYZE rental_reservation')
  const { url } = await portal.post<{ url: string }>('muni/make/rental/feed', {}, headers)
  const times = await inTurns(
    15,
    async () => {
      const { pathname } = new URL(url)
      const response = await portal.app.inject({ url: pathname, headers: { host: 'maplegrove.localhost' } })
      if (response.statusCode !== 200) throw new Error(`the feed answered ${response.statusCode}`)
    },
    async () => {
      await client.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
      await client.query(
        `SELECT id, title, starts_at, ends_at, status, name, purpose, changes, updated_at FROM rental_reservation
         WHERE company_id = ${company} ORDER BY starts_at LIMIT ${RESERVATIONS}`,
      )
      await client.query('COMMIT')
    },
  )
  await client.end()
  return timeRow(`calendar feed of ${RESERVATIONS} reservations, against reading its rows`, times, null)
}
