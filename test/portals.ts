import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, vi } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import { runner } from '../server/db/binaries.ts'
import { openLog } from '../server/log.ts'
import { freePort } from '../server/ports.ts'
import type { TestDatabase } from './databases.ts'
import { testDatabase, testFolder } from './harness.ts'
import { findCommand, root, run, type RunningProcess, waitForOutput } from './processes.ts'
import { addTestPlatformStaff, openTestCompany } from './company.ts'

/** Portals as in production: separate processes on one database and one gateway, behind HAProxy. */

export const HOST = 'maplegrove.localhost'
export const ADMIN = 'admin.localhost'
export const PASSWORD = 'Maple-Grove#2026'
/** Amount due of each test account, and the total with the card fee. In cents. */
export const OWED = 14_931
export const TOTAL = OWED + 441

const KEYS = {
  GATEWAY_API_KEY: 'a-key-of-several-portals',
  GATEWAY_WEBHOOK_SECRET: 'a-secret-of-several-portals',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}
export const haproxy = findCommand('haproxy')
export const pgbouncer = findCommand('pgbouncer')

/**
 * True if one of the commands is not installed. Prints the missing commands, so that skipped tests are not mistaken for
 * passed ones.
 */
export function missing(...commands: [name: string, path: string | null][]): boolean {
  const names = commands.filter(([, path]) => path === null).map(([name]) => name)
  if (names.length > 0) process.stderr.write(`Left out, for want of ${names.join(' and ')} on this machine.\n`)
  return names.length > 0
}

/**
 * Creates a database with two companies, in which each account has `OWED` cents due. The accounts are `8000`, `8001`
 * and so on in Maple Grove, and `9000` and so on in the other company.
 */
export async function companiesDatabase(accounts = 40): Promise<TestDatabase> {
  const database = await testDatabase()
  const where = { db: database.pools, clock: { now: () => new Date() } }
  await openTestCompany(where, mapleGrove)
  await openTestCompany(where, harborCity)
  await addTestPlatformStaff(where)
  for (const [subdomain, first] of [
    ['maplegrove', 8000],
    ['harborcity', 9000],
  ] as const)
    await importBills(
      { ...where, log: openLog({ logLevel: 'silent' }).log },
      subdomain,
      Readable.from([billsOf(first, accounts)]),
    )
  return database
}

const billsOf = (first: number, count: number) =>
  [
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1',
    ...Array.from({ length: count }, (_, n) => first + n).map(
      (n) =>
        `${n},Ada Quill,${n} Elm Street,Maple Grove,PA,17011,C${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,149.31`,
    ),
  ].join('\n')

/** Starts the gateway, which sends its events to `portalPort`. Returns its port. */
export async function startGateway(databaseUrl: string, portalPort: number): Promise<number> {
  const port = await freePort()
  const gateway = run(process.execPath, [root('gateway/main.ts')], {
    ...KEYS,
    GATEWAY_PORT: String(port),
    GATEWAY_DATABASE_URL: databaseUrl,
    GATEWAY_WEBHOOK_URL: `http://127.0.0.1:${portalPort}/webhooks/sandbox`,
    GATEWAY_FRAME_ANCESTORS: `http://*.localhost:${portalPort}`,
  })
  await waitForOutput(gateway, 'gateway ready')
  return port
}

/** A portal process that can be stopped and restarted on its port. */
export class Portal {
  readonly port: number
  readonly #env: Record<string, string>
  #running: RunningProcess | null = null

  constructor(port: number, env: Record<string, string>) {
    this.port = port
    this.#env = {
      ...KEYS,
      ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: testFolder(), LOG_LEVEL: 'silent' },
      ...{ TRUST_PROXY: '127.0.0.1', DRAIN_SECONDS: '1' },
      ...env,
    }
  }

  /** Starts the process unless it is running. */
  async start(): Promise<void> {
    if (this.#running) return
    this.#running = run(process.execPath, [root('portal/main.ts'), 'production'], this.#env)
    await waitForOutput(this.#running, 'Mainstreet is ready')
  }

  /**
   * Sends a signal and waits until the process ends. Returns the exit code, or null if the signal ended the process.
   */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (!this.#running) throw new Error('it does not run')
    const { child, ended } = this.#running
    child.kill(signal)
    const code = await ended
    this.#running = null
    return code
  }
}

/**
 * Starts portals on one database and gateway. `envs` has additional environment variables of each portal, for example
 * database URLs of a pooler.
 */
export async function startPortals(
  database: TestDatabase,
  gatewayPort: number,
  envs: Record<string, string>[],
): Promise<Portal[]> {
  const shared = {
    DATABASE_URL: database.url,
    GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    GATEWAY_PUBLIC_URL: `http://localhost:${gatewayPort}`,
  }
  const portals: Portal[] = []
  for (const env of envs) portals.push(new Portal(Number(env['PORT'] ?? (await freePort())), { ...shared, ...env }))
  await Promise.all(portals.map((portal) => portal.start()))
  return portals
}

/** Starts HAProxy in front of two portal ports, with the repository's own configuration. HAProxy prints its log. */
export async function startBalancer(port: number, portals: readonly [number, number]): Promise<RunningProcess> {
  const configFile = join(testFolder(), 'place.cfg')
  writeFileSync(configFile, 'global\n  log stdout format raw local0\n')
  const balancer = run(haproxy ?? '', ['-db', '-f', configFile, '-f', root('deploy/haproxy.cfg')], {
    LISTEN: `127.0.0.1:${port}`,
    PORTAL_1: `127.0.0.1:${portals[0]}`,
    PORTAL_2: `127.0.0.1:${portals[1]}`,
    CHECK_EVERY: '200ms',
  })
  // HAProxy logs only problems, not its start. It therefore counts as ready when a request succeeds.
  await vi.waitFor(async () => expect((await callAs(port, 'GET', '/healthz')).status).toBe(200), { timeout: 60_000 })
  return balancer
}

/**
 * Starts PgBouncer for the database, with the repository's own configuration. Returns the roles' URLs and its output.
 */
export async function startPooler({ url, urls }: TestDatabase, poolSize: number) {
  const folder = testFolder()
  const port = await freePort()
  const { hostname, port: serverPort, pathname } = new URL(url)
  const users = [urls.app, urls.platform, urls.gateway ?? '']
    .map((role) => new URL(role))
    .map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(join(folder, 'users.txt'), users.join(''))
  writeFileSync(join(folder, 'shared.ini'), readFileSync(root('deploy/pgbouncer.ini')))
  const own = `[databases]
${pathname.slice(1)} = host=${decodeURIComponent(hostname)} port=${serverPort || 5432}
[pgbouncer]
%include ${folder}/shared.ini
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_file = ${folder}/users.txt
default_pool_size = ${poolSize}
`
  writeFileSync(join(folder, 'pgbouncer.ini'), own)
  // PgBouncer refuses to run as root, so it runs as another user.
  const user = runner()
  if (user) chownSync(folder, user.uid, user.gid)
  const pooler = run(pgbouncer ?? '', [join(folder, 'pgbouncer.ini')], {}, user)
  await waitForOutput(pooler, 'process up')
  const through = (role: string) => {
    const to = new URL(role)
    to.host = `127.0.0.1:${port}`
    return to.href
  }
  return {
    urls: { app: through(urls.app), platform: through(urls.platform), gateway: through(urls.gateway ?? '') },
    printed: pooler.printed,
  }
}

export interface HttpResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

interface HttpOptions {
  host?: string
  body?: object
  token?: string
  headers?: Record<string, string>
  /** Source address of the request. */
  from?: string
  agent?: Agent
}

/** Sends one request to a loopback port. */
export async function callAs(
  port: number,
  method: 'GET' | 'POST',
  path: string,
  how: HttpOptions = {},
): Promise<HttpResponse> {
  const reply = await open(port, method, path, how)
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) }
}

/** Sends one request and resolves when the response starts. */
export function open(
  port: number,
  method: 'GET' | 'POST',
  path: string,
  how: HttpOptions = {},
): Promise<IncomingMessage> {
  const { host = HOST, body, token, headers, from, agent } = how
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ host: '127.0.0.1', port, method, path },
      headers: {
        host,
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(from && { localAddress: from }),
      ...(agent && { agent }),
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** Makes a call and parses the response as JSON. */
export async function call(port: number, path: string, body: object = {}, how: Omit<HttpOptions, 'body'> = {}) {
  const { status, headers, body: reply } = await callAs(port, 'POST', `/api/v2/${path}`, { ...how, body })
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows the type of its answer
  return { status, headers, body: JSON.parse(reply) as any }
}

/** Signs in with a demo account on any portal and returns the session token. */
export async function signIn(port: number, email: string, host = HOST): Promise<string> {
  const { status, body } = await call(
    port,
    host === ADMIN ? 'admin/login' : 'login',
    { email, password: PASSWORD },
    { host },
  )
  if (status !== 200) throw new Error(`signing in as ${email} answered ${status}: ${body.message}`)
  return body.token
}

/**
 * Creates a guest checkout for a bill of OWED cents, with a valid card. Returns functions that load the checkout and
 * pay.
 */
export async function guestAt(port: number, gatewayPort: number, accountNumber: string) {
  const { token } = (await call(port, 'find/guest/bill', { accountNumber, zip: '17011' })).body
  const load = (at = port) => call(at, 'return/guest/checkout', { token })
  const { account } = (await load()).body.gateway
  const card = { type: 'card', number: '4242424242424242', month: 8, year: 2031, cvc: '123' }
  const fields = await callAs(gatewayPort, 'POST', `/fields/tokens?account=${account}`, { body: card })
  const paymentRequest = {
    ...{ token, payType: 1, method: 1, billCents: OWED, expectedTotalCents: TOTAL, email: 'ada@example.com' },
    methodToken: JSON.parse(fields.body).token,
  }
  const key = crypto.randomUUID()
  const pay = (at = port) => call(at, 'pay/guest/bill', paymentRequest, { headers: { 'idempotency-key': key } })
  return { load, pay }
}

/** Returns the number and the total of the charges for an account, from the gateway's own records. */
export async function chargesOf({ owner }: TestDatabase, account: string) {
  const { rows } = await owner.query<{ charges: number; captured: number }>(
    `SELECT count(*)::int AS charges, coalesce(sum(amount_cents), 0)::int AS captured FROM sandbox_gateway.intent
     WHERE status = 'succeeded' AND description LIKE '%account ' || $1`,
    [account],
  )
  return rows[0]
}

/**
 * Opens the event stream of a staff member's screen. Returns functions that read the events so far and whether the
 * stream has ended. `ended` is true after an orderly end, false if the connection broke, and null while the stream is
 * open.
 */
export async function listenAt(port: number, token: string) {
  const reply = await open(port, 'GET', '/api/v2/muni/live/payments', { token })
  let heard = ''
  let ended: boolean | null = null
  reply.on('data', (chunk: Buffer) => void (heard += chunk.toString()))
  reply.once('end', () => (ended = true))
  reply.once('error', () => (ended ??= false))
  return {
    servedBy: reply.headers['x-served-by'],
    heard: () => heard,
    ended: () => ended,
    leave: () => reply.destroy(),
  }
}
