import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { freePort } from '../server/ports.ts'
import { p95, rateRow, type Row, timed } from './measure.ts'
import { openPortal, type BenchEnvironment } from './environment.ts'
import { waitForOutput, start } from './portal-process.ts'

/** Number of people who get an alert as a text message. */
const PEOPLE = Number(process.env['PEOPLE'] ?? 100_000)
/** Number of text messages sent directly to the sandbox as a baseline, with the portal's concurrency. */
const BARE = Math.min(PEOPLE, 10_000)
/** Number of requests for a resident's page, and the pause between them. */
const POLLS = 500
const PAUSE_MS = 20
/** Time limit for the whole run. */
const MAX_SECONDS = 900

const HOST = 'maplegrove.localhost'

/**
 * Times an alert to everyone in a large company. The benchmark ends the portal's process midway, and a second process
 * continues. The baseline is the text message sandbox without the portal. Also measures the effect on residents' page
 * loads.
 */
export async function alerts(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const { owner } = database
  const { rows: companies } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const company = Number(companies[0]?.id)
  await fill(owner, company)
  const bare = await bareSandbox(environment, await environment.database())

  const env = {
    ...{ DATA_DIR: environment.folder, DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent' },
    GATEWAY_URL: 'http://127.0.0.1:1',
  }
  const open = async () => {
    const port = await freePort()
    const portal = start('portal/main.ts', ['start'], { ...env, PORT: String(port) })
    await waitForOutput(portal, 'Mainstreet is ready')
    return { port, portal }
  }
  const first = await open()
  const alert = await draft(first.port, company)
  // Warm-up: the first pages of a process are slower than later ones.
  await polls(first.port)
  const quiet = await polls(first.port)

  const from = performance.now()
  await post(first.port, 'muni/submit/alert', { companyId: company, alertId: alert.id, people: PEOPLE }, alert.token)
  const sent = async () => {
    const { rows } = await owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM sandbox_sms WHERE direction = 'to phone'`,
    )
    return rows[0]?.n ?? 0
  }
  const busy = await polls(first.port, async () => (await sent()) >= PEOPLE / 2)
  const tookHalf = performance.now() - from
  const half = await sent()
  await kill(first.portal)
  const second = await open()
  const until = performance.now() + MAX_SECONDS * 1000
  for (;;) {
    const { rows } = await owner.query<{ open: number }>(
      `SELECT ((SELECT count(*) FROM alert_delivery WHERE state = 'queued') + (SELECT count(*) FROM sms_message WHERE state = 'waiting'))::int AS open`,
    )
    if (rows[0]?.open === 0) break
    if (performance.now() > until) throw new Error(`${rows[0]?.open} texts are not sent after ${MAX_SECONDS} s`)
    await pause(500)
  }
  const { rows } = await owner.query<{ texts: number; phones: number }>(
    `SELECT count(*)::int AS texts, count(DISTINCT to_number)::int AS phones FROM sandbox_sms WHERE direction = 'to phone'`,
  )
  second.portal.kill('SIGTERM')
  await once(second.portal, 'exit')
  await database.drop()
  const { texts = 0, phones = 0 } = rows[0] ?? {}
  const count = (n: number) => n.toLocaleString('en-US')
  return [
    rateRow(
      `texts of an alert to ${count(PEOPLE)} people, beside the bare sandbox`,
      half,
      { ours: tookHalf, baseline: (bare / BARE) * half },
      null,
    ),
    {
      what: `texts in the sandbox beside people, killed after ${count(half)}`,
      ...{ ours: count(texts), baseline: count(PEOPLE), ratio: texts / PEOPLE, goal: { max: 1 } },
    },
    {
      what: 'phones that got one',
      ...{ ours: count(phones), baseline: count(PEOPLE), ratio: phones / PEOPLE, goal: { min: 1 } },
    },
    {
      what: "a resident's page meanwhile, p95, beside a quiet portal",
      ours: `${p95(busy).toFixed(1)} ms`,
      baseline: `${p95(quiet).toFixed(1)} ms`,
      ratio: p95(busy) / p95(quiet),
      goal: { max: 1.5 },
    },
  ]
}

async function fill(owner: pg.Pool, company: number): Promise<void> {
  await owner.query(
    `WITH added AS (
       INSERT INTO person (company_id, email, role_id, first_name, last_name)
       SELECT $1, 'p' || n || '@example.org', 1, 'Ida', 'Nr ' || n FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO sms_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at)
     -- No phone of those that are special in the sandbox.
     SELECT $1, id, '+1' || (2000000000 + row_number() OVER () * 10000 + 1000)::text, now(), '', now() FROM added`,
    [company, PEOPLE],
  )
  await owner.query('ANALYZE')
}

/** Measures the time that the text message sandbox needs if the portal does no other work. */
async function bareSandbox(
  environment: BenchEnvironment,
  database: Awaited<ReturnType<BenchEnvironment['database']>>,
): Promise<number> {
  const { context, close } = await openPortal(database, environment.folder)
  let next = 0
  const lane = async () => {
    for (let n = next++; n < BARE; n = next++)
      await context.sms.send({
        ...{
          to: `+1${2_000_000_000 + n * 10_000 + 1000}`,
          from: '+17175550100',
          body: 'Maple Grove: boil your water.',
        },
        ...{ key: `bare/${n}`, statusUrl: 'http://127.0.0.1:1/' },
      })
  }
  const time = await timed(() => Promise.all(Array.from({ length: context.sms.atOnce }, lane)))
  await close()
  await database.drop()
  return time
}

/**
 * Loads a resident's page `POLLS` times and returns the duration of each load. Repeats this until `isDone` returns
 * true.
 */
async function polls(port: number, isDone: () => Promise<boolean> = async () => true): Promise<number[]> {
  const times: number[] = []
  do {
    for (let n = 0; n < POLLS; n++) {
      times.push(await timed(() => callApi(port, 'GET', '/utility-index')))
      await pause(PAUSE_MS)
    }
  } while (!(await isDone()))
  return times
}

/** Sends a call to the portal. Uses a plain HTTP request, because other clients can't set the Host header. */
async function callApi(port: number, method: string, path: string, body?: object, token?: string): Promise<string> {
  const headers = {
    ...{ host: HOST, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const httpRequest = request({ host: '127.0.0.1', port, method, path, headers })
  httpRequest.end(body && JSON.stringify(body))
  const [reply] = await once(httpRequest, 'response')
  let text = ''
  for await (const chunk of reply) text += String(chunk)
  if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}: ${text.slice(0, 300)}`)
  return text
}

const post = async <T>(port: number, path: string, body: object, token?: string): Promise<T> =>
  JSON.parse(await callApi(port, 'POST', `/api/v2/${path}`, body, token)) as T

/** Creates a draft alert to everyone. Returns its id and the session token of the administrator who may send it. */
async function draft(port: number, companyId: number): Promise<{ id: number; token: string }> {
  const signedIn = { companyId, email: 'admin@maplegrove.example', password: DEMO_PASSWORD }
  const { token } = await post<{ token: string }>(port, 'login', signedIn)
  const names = { alerts: [{ name: 'Emergencies' }], essentials: [], others: [] }
  await post(port, 'muni/save/alert/services', { companyId, ...names }, token)
  await post(port, 'muni/save/alert/settings', { companyId, approvalOver: '999999' }, token)
  const { services } = await post<{ services: { id: number }[] }>(
    port,
    'muni/return/alert/editor',
    { companyId },
    token,
  )
  const alertText = { headline: 'Boil your water', description: '', instruction: 'Boil it for one minute.' }
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const form = {
    ...{ serviceId: String(services[0]?.id), event: 'Boil water advisory', category: 'Health', severity: 'Severe' },
    ...{
      urgency: 'Immediate',
      certainty: 'Observed',
      en: alertText,
      es: { headline: '', description: '', instruction: '' },
    },
    ...{ byEmail: false, byText: true, byCall: false, onPages: true, sendAt: '', expiresAt: `${day}T12:00` },
    area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
  }
  const { alertId } = await post<{ alertId: number }>(port, 'muni/write/alert', { companyId, form }, token)
  return { id: alertId, token }
}

async function kill(portal: ChildProcess): Promise<void> {
  const gone = once(portal, 'exit')
  portal.kill('SIGKILL')
  await gone
}
