import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { runAutopay } from '../features/autopay/server/run.ts'
import { reconcile } from '../features/payments/server/attempts/reconcile.ts'
import { freePort } from '../server/ports.ts'
import { BILL_CENTS, CHARGED_AT, enrollMany } from './autopay-company.ts'
import { testClock, testDatabase, testFolder, testPortal } from './harness.ts'
import { nightly } from './nightly.ts'
import { root, run, waitForOutput } from './processes.ts'
import { openTestCompany } from './company.ts'

/**
 * Number of accounts, number of times that AutoPay is killed, and polling interval in milliseconds. In daily runs,
 * `features/payments/exactly-once.test.ts` instead stops AutoPay between any two of its steps.
 */
const [ACCOUNTS, KILLS, POLL_MS] = [10_000, 3, 200]
const TOTAL = BILL_CENTS + 305
const KEYS = { GATEWAY_API_KEY: 'a-key-of-the-crash-test', GATEWAY_WEBHOOK_SECRET: 'a-secret-of-the-crash-test' }

/**
 * Server that receives the gateway's events and ignores them, so that the portal must request the result of each
 * charge.
 */
const deaf = createServer((request, response) => request.resume().once('end', () => response.end('{}')))
afterAll(() => deaf.close())

nightly(
  `a run of ${ACCOUNTS} accounts that is killed ${KILLS} times charges each once`,
  async () => {
    const database = await testDatabase()
    const clock = testClock(CHARGED_AT)
    const company = await openTestCompany({ db: database.pools, clock }, mapleGrove)
    await enrollMany(database.owner, company, ACCOUNTS)
    const [port, gatewayPort] = [await freePort(), await freePort()]
    deaf.listen(port, '127.0.0.1')
    const gateway = run(process.execPath, [root('gateway/main.ts')], {
      ...KEYS,
      GATEWAY_PORT: String(gatewayPort),
      GATEWAY_DATABASE_URL: database.urls.gateway ?? '',
      GATEWAY_WEBHOOK_URL: `http://127.0.0.1:${port}/webhooks/sandbox`,
      GATEWAY_FRAME_ANCESTORS: `http://*.localhost:${port}`,
    })
    await waitForOutput(gateway, 'gateway ready')
    const env = {
      ...KEYS,
      PORT: String(port),
      DATA_DIR: testFolder(),
      DATABASE_URL: database.url,
      DEMO: '0',
      LOG_LEVEL: 'silent',
      GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    }
    const count = async (text: string) => Number((await database.owner.query(text)).rows[0].count)
    const started = () => count('SELECT count(*) FROM payment_attempt')
    for (let kill = 1; kill <= KILLS; kill++) {
      const runner = run(process.execPath, [root('test/autopay-runner.ts')], env)
      const enough = (ACCOUNTS * kill) / (KILLS + 1)
      await expect.poll(started, { timeout: 1_200_000, interval: POLL_MS }).toBeGreaterThan(enough)
      const gone = once(runner.child, 'exit')
      runner.child.kill('SIGKILL')
      await gone
      expect(await started(), 'it was killed while payments were pending').toBeLessThan(ACCOUNTS)
    }
    await waitForOutput(run(process.execPath, [root('test/autopay-runner.ts')], env), 'nothing left')
    // After a minute, the portal looks up each request that got no response. It then repeats those that never reached
    // the gateway.
    const last = await testPortal({ database, clock, env: { ...KEYS, GATEWAY_URL: env.GATEWAY_URL } })
    for (const minutes of [20, 20, 20]) {
      clock.advance(minutes * 60_000)
      await reconcile(last.context)
      await runAutopay(last.context)
    }
    const { rows } = await database.owner.query(`
      SELECT (SELECT count(*)::int FROM autopay_charge WHERE state = 'paid') AS paid,
        (SELECT count(*)::int FROM payment_order WHERE status = 1 AND location = 6) AS orders,
        (SELECT count(DISTINCT reference)::int FROM payment_order WHERE status = 1) AS accounts,
        (SELECT count(*)::int FROM sandbox_gateway.movement) AS movements,
        (SELECT sum(amount_cents)::int FROM sandbox_gateway.movement) AS captured,
        (SELECT sum(CASE WHEN debit_account = 'gateway_clearing' THEN amount_cents WHEN credit_account = 'gateway_clearing' THEN -amount_cents END)::int
           FROM ledger_transfer) AS booked`)
    expect(rows[0]).toEqual({
      paid: ACCOUNTS,
      orders: ACCOUNTS,
      accounts: ACCOUNTS,
      movements: ACCOUNTS,
      captured: ACCOUNTS * TOTAL,
      booked: ACCOUNTS * TOTAL,
    })
  },
  3_600_000,
)
