import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as callAs, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { definePayable } from '../features/payments/server/orders/payable.ts'
import { reconcile } from '../features/payments/server/attempts/reconcile.ts'
import { verifyLedger } from '../features/payments/server/ledger/verify-ledger.ts'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import { systemClock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import { joinDatabase } from '../server/db/database.ts'
import type { Pools } from '../server/db/pool.ts'
import { freePort } from '../server/ports.ts'
import { hashSecret, newSecret } from '../server/sessions.ts'
import { liftLimits, type TestDatabase } from './databases.ts'
import { testClock, testDatabase, testFolder, testPortal } from './harness.ts'
import { addPermits, makePermitTables, permits } from './permits.ts'
import { root, run, waitForOutput } from './processes.ts'
import { openTestCompany } from './company.ts'
import { nightly } from './nightly.ts'

/**
 * These tests run real processes and kill the portal or the gateway with `kill -9` during a payment. A proxy between
 * them sees each step of the payment. It kills the process at the step that the test names.
 */

const OWED = 14_931
/**
 * Price of a permit in cents. The payer pays for a permit together with the bill. Permits exist only in tests, as a
 * second type of payable item.
 */
const PRICE = 40_00
const totalOf = (cents: number) => cents + Math.max(195, Math.floor((cents * 275 + 5000) / 10_000) + 30)
const sum = (amounts: readonly number[]) => amounts.reduce((all, cents) => all + cents, 0)
const KEYS = { GATEWAY_API_KEY: 'a-key-of-the-crash-test', GATEWAY_WEBHOOK_SECRET: 'a-secret-of-the-crash-test' }

/** Externally visible steps of a payment, in order. */
const moments = [
  'before the charge is created',
  'after the charge is created',
  'before it is confirmed',
  'after it is confirmed',
  'while the response is sent',
] as const
type Moment = (typeof moments)[number]

/**
 * `npm test` kills a process only at one step: after money moved and before the portal received the result.
 * `exactly-once.test.ts` stops the code between any two steps, in one process.
 */
const tried = moments.filter((moment) => process.env['NIGHTLY'] || moment === 'after it is confirmed')

/** Number of carts that are paid in a nightly run, and number of times that the portal is killed during the run. */
const [CARTS, KILLS] = [1000, 3]
const FIRST_CART = 10_000

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

async function startProcess(
  entry: string,
  args: string[],
  env: Record<string, string>,
  ready: string,
  preload: string[] = [],
): Promise<ChildProcess> {
  const running = run(process.execPath, [...preload, root(entry), ...args], env)
  await waitForOutput(running, ready)
  return running.child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

interface ApiResponse {
  status: number
  body: Record<string, unknown>
}

/** Sends a request to a company's host on a loopback port. */
async function post(
  port: number,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const sent = callAs({
    ...{ host: '127.0.0.1', port, method: 'POST', path },
    headers: { host: 'maplegrove.localhost', 'content-type': 'application/json', ...headers },
  })
  sent.end(JSON.stringify(body))
  const [reply] = (await once(sent, 'response')) as [Readable & { statusCode: number }]
  return { status: reply.statusCode, body: JSON.parse(await text(reply)) as Record<string, unknown> }
}

/**
 * Opens the proxy between portal and gateway. `arm` sets a step and the function `interrupt`, which the proxy runs once
 * at that step. The request or response of that step is then lost.
 */
async function lineTo(gatewayPort: number) {
  let armed: { moment: Moment; interrupt: () => Promise<void> } | null = null
  const crashAt = async (moment: Moment): Promise<boolean> => {
    if (armed?.moment !== moment) return false
    const { interrupt } = armed
    armed = null
    await interrupt()
    return true
  }
  const server = createServer((request, response) => {
    void (async () => {
      const url = request.url ?? ''
      const step =
        request.method === 'POST' && url === '/v1/intents' ? 'create' : url.endsWith('/confirm') ? 'confirm' : null
      const body = await text(request)
      if (step === 'create' && (await crashAt('before the charge is created'))) return response.destroy()
      if (step === 'confirm' && (await crashAt('before it is confirmed'))) return response.destroy()
      const passed = callAs({
        host: '127.0.0.1',
        port: gatewayPort,
        method: request.method,
        path: url,
        headers: { ...request.headers, host: '127.0.0.1' },
      })
      passed.on('error', () => response.destroy())
      passed.end(body)
      passed.on('response', (reply) => {
        void (async () => {
          const content = await text(reply)
          if (step === 'create' && (await crashAt('after the charge is created'))) return response.destroy()
          if (step === 'confirm' && (await crashAt('after it is confirmed'))) return response.destroy()
          response.writeHead(reply.statusCode ?? 500, { 'content-type': 'application/json' }).end(content)
          if (step === 'confirm') await crashAt('while the response is sent')
        })()
      })
    })()
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    arm: (moment: Moment, interrupt: () => Promise<void>) => void (armed = { moment, interrupt }),
    disarm: () => void (armed = null),
    get voided() {
      return armed === null
    },
  }
}

const startGatewayOn = (gatewayPort: number, portalPort: number, books = database) =>
  startProcess(
    'gateway/main.ts',
    [],
    {
      ...KEYS,
      GATEWAY_PORT: String(gatewayPort),
      GATEWAY_DATABASE_URL: books.urls.gateway ?? '',
      GATEWAY_WEBHOOK_URL: `http://127.0.0.1:${portalPort}/webhooks/sandbox`,
      GATEWAY_FRAME_ANCESTORS: `http://*.localhost:${portalPort}`,
    },
    'gateway ready',
  )

/** Starts a portal, a gateway and the proxy between them, on one database. */
async function open() {
  const [port, gatewayPort] = [await freePort(), await freePort()]
  const line = await lineTo(gatewayPort)
  const env = {
    ...KEYS,
    ...{ PORT: String(port), DATA_DIR: testFolder(), DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent' },
    ...{ GATEWAY_URL: `http://127.0.0.1:${line.port}`, GATEWAY_PUBLIC_URL: `http://localhost:${gatewayPort}` },
  }
  const preload = ['--import', root('test/with-permits.ts')]
  const startPortal = () => startProcess('portal/main.ts', ['start'], env, 'Mainstreet is ready', preload)
  const startGateway = () => startGatewayOn(gatewayPort, port)
  return {
    port,
    gatewayPort,
    line,
    startPortal,
    startGateway,
    portal: await startPortal(),
    gateway: await startGateway(),
  }
}

afterAll(definePayable(permits))
let database: TestDatabase
let context: Awaited<ReturnType<typeof open>>
let accounts = 0

beforeAll(async () => {
  database = await testDatabase()
  const company = await openTestCompany({ db: database.pools, clock: systemClock }, mapleGrove)
  await makePermitTables(database.owner)
  await addPermits(database.owner, company, 80, 750, PRICE)
  await addPermits(database.owner, company, FIRST_CART, CARTS, PRICE)
  await liftLimits(database.owner)
  const single = Array.from({ length: 30 }, (_, n) => `8${n}`)
  const inCarts = Array.from({ length: CARTS }, (_, n) => `${FIRST_CART + n}`)
  await billAccounts(database.pools, [...single, ...inCarts])
  context = await open()
})

/** Creates accounts of the test company, each with a bill. */
async function billAccounts(db: Pools, numbers: readonly string[]): Promise<void> {
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = numbers.map(
    (number) =>
      `${number},Ada Quill,${number} Elm Street,Maple Grove,PA,17011,C${number},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,149.31`,
  )
  const nothing = { info: () => {}, warn: () => {}, error: () => {} } as never
  await importBills(
    { db, clock: systemClock, log: nothing },
    'maplegrove',
    Readable.from([[head, ...lines].join('\n')]),
  )
}

/** Opens a checkout with the account's bill and the permit that has the same number. */
async function openBoth(account: string): Promise<string> {
  const token = newSecret()
  await database.owner.query(
    `INSERT INTO guest_checkout (company_id, token_hash, payables, last_no, created_at, expires_at)
     SELECT company_id, $2, jsonb_build_array(jsonb_build_object('no', 1, 'kind', 'utility', 'id', id),
       jsonb_build_object('no', 2, 'kind', $3::text, 'id', $1::int)), 2, now(), now() + interval '1 day' FROM utility_account WHERE account_number = $1::text`,
    [account, hashSecret(token), permits.kind],
  )
  return token
}

/** Opens a guest checkout with a bill of 149.31, a permit of 40.00 and a valid card. */
async function guest() {
  const account = `8${accounts++}`
  return { account, ...(await guestWith(await openBoth(account), [OWED, PRICE], context)) }
}

async function guestWith(
  token: string,
  /** Amount due for each item, in cents. Each item has its own fee. */
  owed: readonly number[],
  { port, gatewayPort }: { port: number; gatewayPort: number },
) {
  const load = () => post(port, '/api/v2/return/guest/checkout', { token })
  const { account: merchant } = (await load()).body['gateway'] as { account: string }
  const card = { type: 'card', number: '4242424242424242', month: 8, year: 2031, cvc: '123' }
  const fields = await post(gatewayPort, `/fields/tokens?account=${merchant}`, card)
  const paymentRequest = {
    token,
    payType: 1,
    method: 1,
    billCents: sum(owed),
    expectedTotalCents: sum(owed.map(totalOf)),
    email: 'ada@example.com',
    methodToken: fields.body['token'],
  }
  const key = randomUUID()
  return { load, pay: () => post(port, '/api/v2/pay/guest/bill', paymentRequest, { 'idempotency-key': key }) }
}

/** Returns the gateway's own record of charges for an account. */
async function chargesOf(account: string, books = database) {
  const { rows } = await books.owner.query<{ charges: number; captured: number }>(
    `SELECT count(*)::int AS charges, coalesce(sum(amount_cents - refunded_cents), 0)::int AS captured
     FROM sandbox_gateway.intent WHERE status = 'succeeded' AND description ~ ('account ' || $1 || '(,|$)')`,
    [account],
  )
  return rows[0]
}

/** Returns the gateway's record of charges for an account, with the portal's ledger and orders. */
async function truthOf(account: string) {
  const { rows } = await database.owner.query<{ booked: number; status: number | null; live: number; permit: number }>(
    `SELECT
       (SELECT coalesce(sum(CASE WHEN t.debit_account = 'gateway_clearing' THEN amount_cents
                                 WHEN t.credit_account = 'gateway_clearing' THEN -amount_cents END), 0)::int
          FROM ledger_transfer t JOIN payment_order o ON o.id = t.order_id WHERE split_part(o.reference, ',', 1) = $1) AS booked,
       (SELECT max(status) FROM payment_order WHERE split_part(reference, ',', 1) = $1) AS status,
       (SELECT count(*)::int FROM payment_attempt a JOIN payment_order o ON o.id = a.order_id
          WHERE split_part(o.reference, ',', 1) = $1 AND a.status = 0) AS live,
       (SELECT paid_cents::int FROM test_permit WHERE id = $1::int) AS permit`,
    [account],
  )
  return { ...rows[0], ...(await chargesOf(account)) }
}

/**
 * Starts a portal with a clock that is 20 minutes ahead, and runs the reconciler. At that time, abandoned attempts have
 * expired.
 */
async function laterReconciled(): Promise<void> {
  const clock = testClock(new Date(Date.now() + 20 * 60_000).toISOString())
  const later = await testPortal({
    database,
    clock,
    env: { ...KEYS, GATEWAY_URL: `http://127.0.0.1:${context.gatewayPort}` },
  })
  await reconcile(later.context)
}

/**
 * Checks that the ledger agrees with the gateway and that no payment was charged twice. Then pays again with the same
 * idempotency key, which must change nothing.
 */
async function expectTruth({ account, load, pay }: Awaited<ReturnType<typeof guest>>): Promise<void> {
  await laterReconciled()
  const truth = await truthOf(account)
  expect(truth.booked).toBe(truth.captured)
  expect(truth.live).toBe(0)
  expect(truth.charges).toBeLessThanOrEqual(1)
  expect(truth.status).toBe(truth.charges === 1 ? 1 : 2)
  expect(truth.permit).toBe(truth.charges === 1 ? PRICE : 0)
  expect((await load()).body['payment']).toMatchObject({ state: truth.charges === 1 ? 'paid' : 'declined' })
  // The payer presses the button again, which sends the same idempotency key. All leases have expired by that time.
  await database.owner.query('UPDATE idempotency_key SET lease_until = created_at')
  expect((await pay()).status).toBe(200)
  expect(await truthOf(account)).toEqual(truth)
}

/**
 * Ends a recorded outage. The portal records an outage if several responses are lost within a minute, and starts no
 * charge while it lasts. Retries a payment until it succeeds, because the portal caches the outage for a few seconds.
 */
async function endOutage(): Promise<void> {
  await database.owner.query('DELETE FROM provider_call')
  await database.owner.query('UPDATE payment_outage SET until = now() WHERE until IS NULL')
  const token = await openBoth(`8${accounts++}`)
  await expect.poll(async () => (await (await guestWith(token, [OWED, PRICE], context)).pay()).status).toBe(200)
}

afterEach(() => context.line.disarm())

test.each(tried)('leaves one charge if the portal is killed %s', async (moment) => {
  const payer = await guest()
  context.line.arm(moment, () => kill(context.portal))
  await payer.pay().catch(() => {})
  await expect.poll(() => context.line.voided).toBe(true)
  context.portal = await context.startPortal()
  await expectTruth(payer)
})

test.each(tried)('leaves one charge if the gateway is killed %s', async (moment) => {
  await endOutage()
  const payer = await guest()
  context.line.arm(moment, () => kill(context.gateway))
  const paying = payer.pay()
  await expect.poll(() => context.line.voided).toBe(true)
  context.gateway = await context.startGateway()
  expect([200, 503]).toContain((await paying).status)
  await expectTruth(payer)
})

nightly(
  `of ${CARTS} carts that are paid while the portal is killed ${KILLS} times none is lost and none is paid twice`,
  async () => {
    const carts: { token: string; load: () => Promise<ApiResponse>; pay: () => Promise<ApiResponse> }[] = []
    for (let n = 0; n < CARTS; n++) {
      const token = await openBoth(String(FIRST_CART + n))
      carts.push({ token, ...(await guestWith(token, [OWED, PRICE], context)) })
    }
    let up = Promise.resolve()
    let paidCarts = 0
    const strikes = new Set(Array.from({ length: KILLS }, (_, n) => Math.floor((CARTS * (n + 1)) / (KILLS + 1))))
    const interrupt = async () => {
      await kill(context.portal)
      // Ends the leases of the killed portal, so that the test does not have to wait.
      await database.owner.query('UPDATE idempotency_key SET lease_until = created_at')
      context.portal = await context.startPortal()
    }
    const walk = carts.values()
    const payer = async () => {
      for (const cart of walk) {
        for (let done = false; !done;) {
          await up
          const reply = await cart.pay().catch(() => null)
          if (reply) expect([200, 409, 503]).toContain(reply.status)
          done = reply?.status === 200
          if (!done) await setTimeout(100)
        }
        paidCarts += 1
        if (strikes.has(paidCarts)) up = interrupt()
      }
    }
    await Promise.all(Array.from({ length: 8 }, payer))
    await laterReconciled()
    // The portal abandoned attempts that were not yet charged when it was killed, so their payers try again.
    let again = 0
    for (const { token, load } of carts) {
      if (((await load()).body['payment'] as { state: string }).state === 'paid') continue
      again += 1
      const retried = await guestWith(token, [OWED, PRICE], context)
      expect((await retried.pay()).body).toMatchObject({ state: 'paid' })
    }
    expect(again).toBeLessThanOrEqual(8 * KILLS)
    const { rows } = await database.owner.query(
      `SELECT
         (SELECT count(*)::int FROM (SELECT substring(description FROM 'account (1[0-9]{4}),') AS account FROM sandbox_gateway.intent
            WHERE status = 'succeeded') i WHERE account IS NOT NULL) AS charged,
         (SELECT count(DISTINCT substring(description FROM 'account (1[0-9]{4}),'))::int FROM sandbox_gateway.intent WHERE status = 'succeeded') AS carts,
         (SELECT count(*)::int FROM payment_order WHERE status = 1 AND reference ~ '^1[0-9]{4}, T-1') AS orders,
         (SELECT sum(paid_cents)::int FROM test_permit WHERE id >= $1) AS permits`,
      [FIRST_CART],
    )
    expect(rows[0]).toEqual({ charged: CARTS, carts: CARTS, orders: CARTS, permits: CARTS * PRICE })
    const { findings } = await verifyLedger(database.urls.platform)
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
  },
  CARTS * 1000 + 60_000,
)

/**
 * Starts the portal on its embedded database, with a company that has one bill. The gateway has a separate database,
 * like a real payment provider.
 */
async function openEmbedded() {
  const [port, gatewayPort, dataDir] = [await freePort(), await freePort(), testFolder()]
  const line = await lineTo(gatewayPort)
  const books = await testDatabase()
  await startGatewayOn(gatewayPort, port, books)
  const env = {
    ...KEYS,
    ...{ PORT: String(port), DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'silent' },
    ...{ GATEWAY_URL: `http://127.0.0.1:${line.port}`, GATEWAY_PUBLIC_URL: `http://localhost:${gatewayPort}` },
  }
  const startPortal = () => startProcess('portal/main.ts', ['start'], env, 'Mainstreet is ready')
  const portal = await startPortal()
  const own = await joinDatabase(readConfig(env, 'start'), { migrates: false })
  await openTestCompany({ db: own.pools, clock: systemClock }, mapleGrove)
  await billAccounts(own.pools, ['80'])
  await own.close()
  return { port, gatewayPort, line, dataDir, books, startPortal, portal }
}

nightly(
  'PostgreSQL is killed when the gateway has charged: the portal ends, and after the next start the payment is there',
  async () => {
    const embedded = await openEmbedded()
    const response = await post(embedded.port, '/api/v2/find/guest/bill', { accountNumber: '80', zip: '17011' })
    const payer = await guestWith(String(response.body['token']), [OWED], embedded)
    const ended = once(embedded.portal, 'exit')
    const postmaster = Number(readFileSync(join(embedded.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    embedded.line.arm('after it is confirmed', async () => void process.kill(postmaster, 'SIGKILL'))
    await payer.pay().catch(() => {})
    expect(await ended).toEqual([1, null])
    embedded.portal = await embedded.startPortal()
    await expect
      .poll(async () => (await payer.load()).body['payment'])
      .toMatchObject({ state: 'paid', quote: { totalCents: totalOf(OWED) } })
    expect(await chargesOf('80', embedded.books)).toEqual({ charges: 1, captured: totalOf(OWED) })
    // The command queries the gateway's ledger and compares the portal's ledger with it.
    const env = { ...KEYS, DATA_DIR: embedded.dataDir, GATEWAY_URL: `http://127.0.0.1:${embedded.gatewayPort}` }
    const verified = run(process.execPath, [root('portal/commands/verify.ts'), '--provider'], env)
    expect(await verified.ended, verified.printed()).toBe(0)
    expect(verified.printed()).toContain('Maple Grove: the provider holds $153.72, by the ledger $153.72')
    embedded.portal.kill('SIGTERM')
    await once(embedded.portal, 'exit')
  },
)
