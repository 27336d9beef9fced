import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inviteAdministrator } from '../features/identity/server/invite-administrator.ts'
import { systemClock } from '../server/clock.ts'
import { Jobs } from '../server/jobs.ts'
import { openLog } from '../server/log.ts'
import { freePort } from '../server/ports.ts'
import type { TestDatabase } from './databases.ts'
import { listenForEmail } from './emails.ts'
import {
  ADMIN,
  callAs,
  call,
  chargesOf,
  guestAt,
  haproxy,
  listenAt,
  missing,
  type Portal,
  signIn,
  startBalancer,
  startGateway,
  startPortals,
  TOTAL,
  companiesDatabase,
} from './portals.ts'

/** Tests two portals on one database, behind HAProxy: changes on one portal apply on the other. */

const staff = 'staff@maplegrove.example'
const SENDERS = ['one@towns.example', 'two@towns.example']
/**
 * Time limit for a change to reach the other portal. A portal that misses the notification would serve cached data for
 * a minute.
 */
const NOTICED = { timeout: 20_000 }
let database: TestDatabase
let balancer: number
let gateway: number
let portals: Portal[]
let emails: Awaited<ReturnType<typeof listenForEmail>>
let startedAt: Date
let printed: Awaited<ReturnType<typeof startBalancer>>['printed']

describe.skipIf(missing(['haproxy', haproxy]))('two portals behind HAProxy', () => {
  beforeAll(async () => {
    startedAt = new Date()
    balancer = await freePort()
    ;[database, emails] = await Promise.all([companiesDatabase(), listenForEmail()])
    await scheduleReconciling()
    gateway = await startGateway(database.urls.gateway ?? '', balancer)
    portals = await startPortals(
      database,
      gateway,
      SENDERS.map((sender) => ({ MAIL_FROM: sender, SMTP_URL: emails.url })),
    )
    printed = (await startBalancer(balancer, [at(0), at(1)])).printed
  })
  afterAll(() => emails.close())
  const at = (n: 0 | 1) => portals[n]?.port ?? 0
  const both = <T>(work: (port: number) => Promise<T>) => Promise.all([work(at(0)), work(at(1))])

  test('notifies staff of a payment on either portal, also through HAProxy', async () => {
    const token = await signIn(balancer, staff)
    const screens = await Promise.all([at(0), at(1), balancer].map((port) => listenAt(port, token)))
    for (const [n, account] of ['8000', '8001'].entries()) {
      const { status, body } = await (await guestAt(at(n as 0 | 1), gateway, account)).pay()
      expect(status).toBe(200)
      const payment = `"id":${body.reference.replace(/\D/g, '')}}`
      for (const screen of screens) await expect.poll(screen.heard).toContain(payment)
    }
    for (const screen of screens) screen.leave()
  })

  test('writes requests to HAProxy’s log without credentials', async () => {
    const secret = 'k'.repeat(43)
    const headers = { authorization: `Bearer ${secret}`, cookie: `session=${secret}` }
    await callAs(balancer, 'GET', `/api/v2/download/1/${secret}?token=${secret}`, { headers })
    await callAs(balancer, 'GET', `/confirm-email?token=${secret}`)
    await expect.poll(printed).toMatch(/GET \/api\/v2\/download\/1\/\* .*GET \/confirm-email /s)
    expect(printed()).not.toContain('kkkk')
  })

  test('blocks an account after five wrong passwords over both portals', async () => {
    const failLogin = (port: number) => call(port, 'login', { email: 'manager@maplegrove.example', password: 'wrong' })
    for (const n of [0, 1, 0, 1, 0] as const) expect((await failLogin(at(n))).status).toBe(401)
    expect((await both(failLogin)).map(({ status }) => status)).toEqual([429, 429])
  })

  test('takes the client’s address from HAProxy, not from the client', async () => {
    const login = { email: 'nobody@maplegrove.example', password: 'wrong' }
    await call(balancer, 'login', login, { from: '127.0.0.2', headers: { 'x-forwarded-for': '198.51.100.7' } })
    const counted = async (address: string) => {
      const key = createHash('sha256').update(`sign-in-address\n${address}`).digest()
      const { rows } = await database.owner.query('SELECT failures FROM failed_guess WHERE key_hash = $1', [key])
      return rows[0]?.failures
    }
    expect(await counted('127.0.0.2')).toBe(1)
    expect(await counted('198.51.100.7')).toBeUndefined()
  })

  test('hides the portals’ internal routes from clients of HAProxy', async () => {
    for (const path of ['/readyz', '/metrics']) {
      expect((await callAs(at(0), 'GET', path, { host: '127.0.0.1' })).status).toBe(200)
      expect((await callAs(balancer, 'GET', path)).status).toBe(404)
    }
  })

  test('shows a company opened on one portal immediately on the other', async () => {
    const form = {
      ...{ companyName: 'Pine Hollow', address: '1 Pine Street', city: 'Pine Hollow', state: 'PA', zip: '17020' },
      ...{ phone: '717-555-0190', companyWebsite: 'www.pinehollow.example.org', subdomain: 'pinehollow' },
      ...{ timeZone: 2, online: 1, intrigratesWithBilling: 1, isManagedServices: 0 },
    }
    const find = async (port: number) =>
      (await call(port, 'return/company/id', { subdomain: 'pinehollow' })).body.company
    expect(await both(find)).toEqual([null, null])
    const token = await signIn(at(0), 'super@mainstreet.example', ADMIN)
    const made = await call(at(0), 'admin/create/company/details', form, { host: ADMIN, token })
    expect(made.status).toBe(200)
    await expect.poll(() => find(at(1)), NOTICED).toMatchObject({ name: 'Pine Hollow' })
  })

  test('takes a company offline on both portals', async () => {
    const host = 'harborcity.localhost'
    const status = async (port: number) => (await call(port, 'return/company/selections', {}, { host })).status
    const set = (online: 0 | 1) =>
      database.owner.query(
        `BEGIN; UPDATE company SET is_online = ${online} WHERE subdomain = 'harborcity'; SELECT pg_notify('company_changed', ''); COMMIT`,
      )
    expect(await both(status)).toEqual([200, 200])
    await set(0)
    await expect.poll(() => both(status), NOTICED).toEqual([404, 404])
    await set(1)
    await expect.poll(() => both(status), NOTICED).toEqual([200, 200])
  })

  test('accepts a download link once, on either portal', async () => {
    const token = await signIn(at(0), staff)
    for (let round = 0; round < 5; round++) {
      const { url } = (await call(at(0), 'muni/export/payment/transactions', { filters: {} }, { token })).body
      const responses = await both((port) => callAs(port, 'GET', url))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404])
    }
  })

  test('accepts an administrator’s invitation once', async () => {
    const config = { publicUrl: 'http://localhost' }
    for (let round = 0; round < 3; round++) {
      const email = `new-${round}@mainstreet.example`
      const link = await inviteAdministrator({ db: database.pools, clock: systemClock, config }, email)
      const code = new URL(link).searchParams.get('invitation')
      const accept = (port: number) =>
        call(port, 'admin/accept/invitation', { code, password: `Their-own-#${port}` }, { host: ADMIN })
      expect((await both(accept)).map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
  })

  test('charges once for one Idempotency-Key sent to both in parallel', async () => {
    for (const account of ['8010', '8011', '8012']) {
      const guest = await guestAt(at(0), gateway, account)
      // The portal may refuse the second request and ask for a retry. The test retries, as a browser does.
      const responses = await both(async (port) => {
        let response = await guest.pay(port)
        await expect
          .poll(async () => {
            if (response.status === 409) response = await guest.pay(port)
            return response.status
          })
          .toBe(200)
        return response.body
      })
      expect(responses[0]).toMatchObject({ state: 'paid' })
      expect(responses[1]).toEqual(responses[0])
      expect(await chargesOf(database, account)).toEqual({ charges: 1, captured: TOTAL })
    }
  })

  test('runs each job once, on either portal', async () => {
    await expect.poll(unsent).toBe(0)
    const before = emails.captured.length
    emails.holdUntilSentBy(SENDERS)
    const accounts = Array.from({ length: 8 }, (_, n) => String(8020 + n))
    const guests = await Promise.all(accounts.map((account) => guestAt(balancer, gateway, account)))
    // The payments run in parallel, so that their notifications arrive while each portal sends its first email.
    const paid = await Promise.all(guests.map((guest) => guest.pay()))
    expect(paid.map(({ status }) => status)).toEqual(accounts.map(() => 200))
    await expect.poll(unsent).toBe(0)
    const sent = emails.captured.slice(before)
    expect(new Set(sent.map(({ from }) => from))).toEqual(new Set(SENDERS))
    expect(sent).toHaveLength(accounts.length)
    expect(new Set(emails.captured.map(({ id }) => id)).size).toBe(emails.captured.length)
  })

  const unsent = async () => {
    const { rows } = await database.owner.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM email_outbox WHERE sent_at IS NULL',
    )
    return rows[0]?.n
  }

  test('runs a scheduled job once a minute, not once per portal', async () => {
    const runs = async () => {
      const { rows } = await database.owner.query<{ runs: number; minutes: number }>(
        `SELECT count(*)::int AS runs,
           (extract(epoch FROM date_trunc('minute', now()) - date_trunc('minute', $1::timestamptz)) / 60)::int + 1 AS minutes
         FROM jobs.job WHERE name = 'payments.reconcile'`,
        [startedAt],
      )
      return rows[0] ?? { runs: 0, minutes: 0 }
    }
    await expect.poll(async () => (await runs()).runs).toBeGreaterThan(0)
    const { runs: done, minutes } = await runs()
    expect(done).toBeLessThanOrEqual(minutes)
  })
})

/**
 * Prepares the database as if portals had run before. The schedule of the reconciliation job exists, and a clock check
 * is due when the portals start.
 */
async function scheduleReconciling(): Promise<void> {
  const jobs = new Jobs(database.urls, systemClock, openLog({ logLevel: 'silent' }).log)
  jobs.define('payments.reconcile', async () => {}, { cron: '* * * * *', retryLimit: 0 })
  await jobs.open()
  await jobs.work()
  await jobs.stop()
  await database.owner.query("UPDATE jobs.version SET cron_on = now() - interval '1 hour'")
}
