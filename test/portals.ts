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
import { findCommand, root, run, type Running, said } from './processes.ts'
import { addTestPlatformStaff, openTestTown } from './town.ts'

/** Portals as they run in production: processes of their own on one database and one gateway, behind HAProxy. */

export const TOWN = 'maplegrove.localhost'
export const ADMIN = 'admin.localhost'
export const PASSWORD = 'Maple-Grove#2026'
/** What each of the test's accounts owes, and what it costs with the card's fee. */
export const OWED = 14_931
export const TOTAL = OWED + 441

const KEYS = {
  GATEWAY_API_KEY: 'a-key-of-several-portals',
  GATEWAY_WEBHOOK_SECRET: 'a-secret-of-several-portals',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}
export const haproxy = findCommand('haproxy')
export const pgbouncer = findCommand('pgbouncer')

/** Why tests of a command that is not there are left out. It is printed, so that nobody takes them for passed. */
export function missing(...commands: [name: string, found: string | null][]): boolean {
  const names = commands.filter(([, found]) => found === null).map(([name]) => name)
  if (names.length > 0) process.stderr.write(`Left out, for want of ${names.join(' and ')} on this machine.\n`)
  return names.length > 0
}

/** A database with two towns and, in each, as many accounts that owe OWED: `8000`, `8001` … in Maple Grove, `9000` … */
export async function townsDatabase(accounts = 40): Promise<TestDatabase> {
  const database = await testDatabase()
  const where = { db: database.pools, clock: { now: () => new Date() } }
  await openTestTown(where, mapleGrove)
  await openTestTown(where, harborCity)
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

/** Starts the gateway, which tells `portalPort` what happened. Answers its port. */
export async function startGateway(databaseUrl: string, portalPort: number): Promise<number> {
  const port = await freePort()
  const gateway = run(process.execPath, [root('gateway/main.ts')], {
    ...KEYS,
    GATEWAY_PORT: String(port),
    GATEWAY_DATABASE_URL: databaseUrl,
    GATEWAY_WEBHOOK_URL: `http://127.0.0.1:${portalPort}/webhooks/sandbox`,
    GATEWAY_FRAME_ANCESTORS: `http://*.localhost:${portalPort}`,
  })
  await said(gateway, 'gateway ready')
  return port
}

/** A portal that can be stopped and started anew on its port. */
export class Portal {
  readonly port: number
  readonly #env: Record<string, string>
  #running: Running | null = null

  constructor(port: number, env: Record<string, string>) {
    this.port = port
    this.#env = {
      ...KEYS,
      ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: testFolder(), LOG_LEVEL: 'silent' },
      ...{ TRUST_PROXY: '127.0.0.1', DRAIN_SECONDS: '1' },
      ...env,
    }
  }

  /** Starts it, unless it runs. */
  async start(): Promise<void> {
    if (this.#running) return
    this.#running = run(process.execPath, [root('portal/main.ts'), 'production'], this.#env)
    await said(this.#running, 'Mainstreet is ready')
  }

  /** Sends a signal and waits for the end. Answers the exit code, null where the signal itself ended it. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (!this.#running) throw new Error('it does not run')
    const { child, ended } = this.#running
    child.kill(signal)
    const code = await ended
    this.#running = null
    return code
  }
}

/** Portals on one database and gateway. `urls`: other ways to the database, such as through a pooler. */
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

/** HAProxy before two ports, by the repository's own configuration. Its log is what it prints. */
export async function startBalancer(port: number, portals: readonly [number, number]): Promise<Running> {
  const place = join(testFolder(), 'place.cfg')
  writeFileSync(place, 'global\n  log stdout format raw local0\n')
  const balancer = run(haproxy ?? '', ['-db', '-f', place, '-f', root('deploy/haproxy.cfg')], {
    LISTEN: `127.0.0.1:${port}`,
    PORTAL_1: `127.0.0.1:${portals[0]}`,
    PORTAL_2: `127.0.0.1:${portals[1]}`,
    CHECK_EVERY: '200ms',
  })
  // It speaks of itself only when something is wrong: it is up when it lets a request through.
  await vi.waitFor(async () => expect((await ask(port, 'GET', '/healthz')).status).toBe(200), { timeout: 60_000 })
  return balancer
}

/** PgBouncer before the database, by the repository's own configuration: the roles' ways through it, and what it says. */
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
  // It refuses to be root.
  const user = runner()
  if (user) chownSync(folder, user.uid, user.gid)
  const pooler = run(pgbouncer ?? '', [join(folder, 'pgbouncer.ini')], {}, user)
  await said(pooler, 'process up')
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

export interface Said {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

interface How {
  host?: string
  body?: object
  token?: string
  headers?: Record<string, string>
  /** The address from which it is asked. */
  from?: string
  agent?: Agent
}

/** One request to a port of loopback. */
export async function ask(port: number, method: 'GET' | 'POST', path: string, how: How = {}): Promise<Said> {
  const answer = await open(port, method, path, how)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}

/** The same, as soon as its answer begins. */
export function open(port: number, method: 'GET' | 'POST', path: string, how: How = {}): Promise<IncomingMessage> {
  const { host = TOWN, body, token, headers, from, agent } = how
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

/** A call. Its answer is read as JSON. */
export async function call(port: number, path: string, body: object = {}, how: Omit<How, 'body'> = {}) {
  const { status, headers, body: answer } = await ask(port, 'POST', `/api/v2/${path}`, { ...how, body })
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
  return { status, headers, body: JSON.parse(answer) as any }
}

/** The token of a demo account, signed in on any portal. */
export async function signIn(port: number, email: string, host = TOWN): Promise<string> {
  const { status, body } = await call(
    port,
    host === ADMIN ? 'admin/login' : 'login',
    { email, password: PASSWORD },
    { host },
  )
  if (status !== 200) throw new Error(`signing in as ${email} answered ${status}: ${body.message}`)
  return body.token
}

/** A guest before a bill of OWED, with a card that is good. What they send to pay, and how. */
export async function guestAt(port: number, gatewayPort: number, accountNumber: string) {
  const { token } = (await call(port, 'find/guest/bill', { accountNumber, zip: '17011' })).body
  const look = (at = port) => call(at, 'return/guest/checkout', { token })
  const { account } = (await look()).body.gateway
  const card = { type: 'card', number: '4242424242424242', month: 8, year: 2031, cvc: '123' }
  const fields = await ask(gatewayPort, 'POST', `/fields/tokens?account=${account}`, { body: card })
  const wish = {
    ...{ token, payType: 1, method: 1, billCents: OWED, expectedTotalCents: TOTAL, email: 'ada@example.com' },
    methodToken: JSON.parse(fields.body).token,
  }
  const key = crypto.randomUUID()
  const pay = (at = port) => call(at, 'pay/guest/bill', wish, { headers: { 'idempotency-key': key } })
  return { look, pay }
}

/** What the gateway took for an account, by its own record. */
export async function chargesOf({ owner }: TestDatabase, account: string) {
  const { rows } = await owner.query<{ charges: number; taken: number }>(
    `SELECT count(*)::int AS charges, coalesce(sum(amount_cents), 0)::int AS taken FROM sandbox_gateway.intent
     WHERE status = 'succeeded' AND description LIKE '%account ' || $1`,
    [account],
  )
  return rows[0]
}

/** A clerk's open screen: what it heard until now, and whether its stream has ended, in order (true) or cut off. */
export async function listenAt(port: number, token: string) {
  const answer = await open(port, 'GET', '/api/v2/muni/live/payments', { token })
  let heard = ''
  let ended: boolean | null = null
  answer.on('data', (chunk: Buffer) => void (heard += chunk.toString()))
  answer.once('end', () => (ended = true))
  answer.once('error', () => (ended ??= false))
  return {
    servedBy: answer.headers['x-served-by'],
    heard: () => heard,
    ended: () => ended,
    leave: () => answer.destroy(),
  }
}
