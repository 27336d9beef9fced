import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { p95, type Row, timed } from './measure.ts'
import { type BenchPortal, openPortal, type BenchEnvironment } from './environment.ts'

/** Number of requests that a large company has after some years. */
const REQUESTS = Number(process.env['REQUESTS'] ?? 1_000_000)
/** Number of request lifecycles started each second, and duration of the run in seconds. */
const RATE = 20
const STEADY_SECONDS = 20
const STEPS = [40, 60, 80, 100]
const STEP_SECONDS = 8
/** Duration of the burst, in seconds. The burst has ten times the usual rate. */
const BURST_SECONDS = 3
const MAX_MS = 500
/** Maximum time until calls are fast again after a burst, in seconds. Checked each second. */
const RECOVERY_SECONDS = 60

/**
 * Measures the load scenario (create, assign, resolve, search) in a company that already has a million requests.
 * Lifecycles start on schedule even if earlier ones still run, so a slow portal accumulates unfinished ones.
 */
export async function requests(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const { owner } = database
  const { rows: companies } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const company = companies[0]?.id ?? 0
  const category = await fill(owner, company)
  const portal = await openPortal(database, environment.folder)
  const { token } = await portal.post<{ token: string }>('login', {
    ...{ companyId: company, email: 'admin@maplegrove.example', password: DEMO_PASSWORD },
  })
  const staff = await owner.query<{ id: number }>(
    `SELECT id FROM person WHERE company_id = $1 AND email = 'staff@maplegrove.example'`,
    [company],
  )
  const benchCompany: BenchCompany = {
    portal,
    category,
    headers: { authorization: `Bearer ${token}` },
    worker: staff.rows[0]?.id ?? 0,
  }

  await load(benchCompany, 5, 4)
  const steady = await load(benchCompany, RATE, STEADY_SECONDS)
  let highest = steady
  let highestRate = RATE
  for (const rate of STEPS) {
    const seen = await load(benchCompany, rate, STEP_SECONDS)
    if (seen.errors.length > 0 || p95(seen.times) > MAX_MS) break
    ;[highest, highestRate] = [seen, rate]
  }
  const burst = await load(benchCompany, RATE * 10, BURST_SECONDS, false)
  const recovered = await recovery(benchCompany)
  await burst.finished
  await portal.close()
  await database.drop()
  const size = REQUESTS.toLocaleString('en-US')
  const row = (what: string, ours: string, ratio: number, max: number | null, baseline = ''): Row => ({
    ...{ what: `${what}, ${size} requests`, ours, baseline, ratio, goal: max === null ? null : { max } },
  })
  const ms = (times: readonly number[]) => `${p95(times).toFixed(0)} ms`
  return [
    row(
      `lifecycle of a request at ${RATE} a second: p95 of a call`,
      ms(steady.times),
      p95(steady.times) / MAX_MS,
      1,
      '500 ms',
    ),
    ...[...steady.byCall].map(([call, times]) => row(`of it: ${call}`, ms(times), p95(times) / MAX_MS, 1, '500 ms')),
    row(
      'lifecycles a second held, of those tried',
      `${highestRate}/s (${ms(highest.times)})`,
      RATE / highestRate,
      1,
      `${RATE}/s`,
    ),
    row(
      `errors of ${steady.times.length + highest.times.length} calls, and of ${burst.times.length} in the burst`,
      [steady.errors.length + highest.errors.length, burst.errors.length].join(' and '),
      steady.errors.length + burst.errors.length,
      0,
      '0',
    ),
    row(
      `seconds until calls are quick again after ${BURST_SECONDS} s of ten times the rate`,
      `${recovered} s`,
      recovered / RECOVERY_SECONDS,
      1,
      '60 s',
    ),
  ]
}

interface BenchCompany {
  portal: BenchPortal
  category: number
  headers: Record<string, string>
  worker: number
}

interface LoadResult {
  times: number[]
  byCall: Map<string, number[]>
  errors: string[]
  finished: Promise<unknown>
}

/** Starts a number of lifecycles each second. If `wait` is true, waits until all of them end. */
async function load(benchCompany: BenchCompany, rate: number, seconds: number, wait = true): Promise<LoadResult> {
  const seen: LoadResult = { times: [], byCall: new Map(), errors: [], finished: Promise.resolve() }
  const started: Promise<void>[] = []
  const from = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    const due = from + (n * 1000) / rate
    const early = due - performance.now()
    if (early > 1) await pause(early)
    started.push(lifecycle(benchCompany, seen))
  }
  seen.finished = Promise.all(started)
  if (wait) await seen.finished
  return seen
}

let guests = 0

async function lifecycle({ portal, category, headers, worker }: BenchCompany, seen: LoadResult): Promise<void> {
  const call = async <T>(
    name: string,
    path: string,
    body: object,
    as: Record<string, string> = headers,
  ): Promise<T> => {
    let response: T | undefined
    const took = await timed(async () => {
      response = await portal.post<T>(path, body, { 'idempotency-key': randomUUID(), ...as })
    })
    seen.times.push(took)
    seen.byCall.set(name, [...(seen.byCall.get(name) ?? []), took])
    return response as T
  }
  const index = ++guests
  try {
    const location = { text: 'Beside the road', addressId: null, lat: 40.2 + index / 1e6, lon: -76.9, metres: null }
    const { number } = await call<{ number: string }>(
      'create',
      'send/communication/request',
      {
        ...{
          description: `Hole number ${index}, as wide as a wheel.`,
          name: 'Ann Lee',
          email: `bench${index}@example.org`,
        },
        ...{ phone: '', categoryId: category, version: 0, answers: {}, files: [], location },
      },
      { 'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` },
    )
    const search = () =>
      call<{ rows: { id: number }[] }>('search', 'muni/return/communications', {
        filters: {},
        search: number,
      })
    const subjectId = (await search()).rows[0]?.id
    if (!subjectId) throw new Error(`${number} is not found`)
    await call('assign', 'muni/assign/request', { subjectId, personId: worker })
    await call('resolve', 'muni/change/communication/status', { subjectId, event: 'complete' })
    await search()
  } catch (error) {
    seen.errors.push(String(error))
  }
}

/** Returns the seconds until calls at the usual rate are fast again. */
async function recovery(benchCompany: BenchCompany): Promise<number> {
  const from = performance.now()
  for (let second = 0; second < RECOVERY_SECONDS; second++) {
    const { times, finished } = await load(benchCompany, RATE, 1, false)
    await finished
    if (p95(times) <= MAX_MS) break
  }
  return Math.round((performance.now() - from) / 1000)
}

/**
 * Adds years of requests in all states, nearly all closed.
 * @returns a category
 */
async function fill(owner: pg.Pool, company: number): Promise<number> {
  await owner.query('INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)', [company])
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO request_category (company_id, name, target_days) SELECT $1, 'Kind ' || n, 5 FROM generate_series(1, 12) n RETURNING id`,
    [company],
  )
  // Drops the index and builds it again afterward. This takes a fraction of the time that a million single index
  // updates take.
  await owner.query('DROP INDEX service_request_by_text')
  await owner.query(
    `INSERT INTO service_request (company_id, id, created_at, updated_at, status, closed_at, category_id, title, description, location, lat, lon, at, name, email, due_at)
     SELECT $1, (2019 + n % 6)::bigint * 10000000 + n, day, day, status, CASE WHEN status IN (2, 4, 5) THEN day + interval '3 days' END,
       ($2::bigint[])[1 + n % 12], 'Kind ' || n % 12, 'Request ' || md5(n::text) || ' about something in the street', n % 900 || ' Elm Street',
       40.2 + n % 1000 / 1e4, -76.9 + n / 1000 % 1000 / 1e4, point(n % 1000 * 11, n / 1000 % 1000 * 8), 'Person ' || n % 50000, 'p' || n % 50000 || '@example.org', day + interval '5 days'
     FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - (n % 2000) * interval '1 day' AS day,
       CASE WHEN n % 100 < 97 THEN (ARRAY[2, 2, 2, 2, 4, 5])[1 + n % 6] ELSE (ARRAY[0, 1, 3])[1 + n % 3] END AS status) d`,
    [company, rows.map(({ id }) => Number(id)), REQUESTS],
  )
  await owner.query(
    'CREATE INDEX service_request_by_text ON service_request USING gin (company_id, search_text gin_trgm_ops)',
  )
  await owner.query('ANALYZE')
  return Number(rows[0]?.id)
}
