import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveListening } from '../server/db/listener.ts'
import { connectionTo, openPools, type Pools } from '../server/db/pool.ts'
import { freePort } from '../server/ports.ts'
import { startStream, companyIdFrom, outsideCompanies, tenancyOn, type Tx } from '../server/tenancy.ts'
import type { TestDatabase } from './databases.ts'
import { listenForEmail } from './emails.ts'
import {
  callAs,
  call,
  chargesOf,
  guestAt,
  listenAt,
  missing,
  OWED,
  pgbouncer,
  type Portal,
  signIn,
  startGateway,
  startPooler,
  startPortals,
  TOTAL,
  companiesDatabase,
} from './portals.ts'

/**
 * In these tests, all connections except those for LISTEN and migrations use PgBouncer in transaction mode. PgBouncer
 * has two connections for each role.
 */

let database: TestDatabase
let pooler: Awaited<ReturnType<typeof startPooler>>
let pools: Pools
let listening: Promise<void>
let companies: { maplegrove: number; harborcity: number }

describe.skipIf(missing(['pgbouncer', pgbouncer]))('PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    database = await companiesDatabase()
    pooler = await startPooler(database, 2)
    pools = openPools({ ...pooler.urls, listen: database.urls.app }, 12)
    const { rows } = await database.owner.query(
      "SELECT json_object_agg(subdomain, id) AS ids FROM company WHERE subdomain IN ('maplegrove', 'harborcity')",
    )
    companies = rows[0].ids
  })
  beforeAll(() => {
    // Starts this check early, because it waits several seconds for a notification.
    listening = proveListening(connectionTo(pooler.urls.app, 'listener'), pools.app)
    listening.catch(() => {})
  })
  afterAll(() => pools.close())
  const maplegrove = () => companyIdFrom('import', companies.maplegrove)

  describe.runIf(process.env['NIGHTLY'])('two portals', () => {
    let gateway: number
    let portals: Portal[]
    let emails: Awaited<ReturnType<typeof listenForEmail>>

    beforeAll(async () => {
      const port = await freePort()
      emails = await listenForEmail()
      gateway = await startGateway(pooler.urls.gateway, port)
      portals = await startPortals(
        database,
        gateway,
        [port, await freePort()].map((own) => ({
          PORT: String(own),
          DATABASE_APP_URL: pooler.urls.app,
          DATABASE_PLATFORM_URL: pooler.urls.platform,
          DATABASE_LISTEN_URL: database.urls.app,
          SMTP_URL: emails.url,
        })),
      )
    })
    afterAll(() => emails.close())
    const at = (n: 0 | 1) => portals[n]?.port ?? 0

    test('charges each of eight parallel guests once and updates the report', async () => {
      const token = await signIn(at(0), 'staff@maplegrove.example')
      const screen = await listenAt(at(0), token)
      const accounts = Array.from({ length: 8 }, (_, n) => String(8000 + n))
      const pay = async (account: string) => (await guestAt(at(1), gateway, account)).pay()
      const paid = await Promise.all(accounts.map(pay))
      expect(paid.map(({ status, body }) => [status, body.state])).toEqual(accounts.map(() => [200, 'paid']))
      for (const account of accounts)
        expect(await chargesOf(database, account)).toEqual({ charges: 1, captured: TOTAL })
      for (const { body } of paid)
        await expect.poll(screen.heard).toContain(`"id":${body.reference.replace(/\D/g, '')}}`)
      screen.leave()

      const report = await call(at(0), 'muni/return/payment/transactions', { filters: {} }, { token })
      expect(report.body).toMatchObject({ count: accounts.length, totals: { amountCents: OWED * accounts.length } })
      const { url } = (await call(at(0), 'muni/export/payment/transactions', { filters: {} }, { token })).body
      const csv = await callAs(at(1), 'GET', url)
      expect([csv.status, csv.body.trim().split('\n').length]).toEqual([200, 1 + accounts.length])
      await expect.poll(() => emails.captured.length).toBe(accounts.length)
    })

    test('routes each role through it, also the gateway’s', () => {
      for (const role of ['app', 'platform', 'gateway']) expect(pooler.printed()).toContain(`user=mainstreet_${role}`)
    })
  })

  test('shows alternating calls of two companies only their own rows', async () => {
    const inCompany = tenancyOn(pools.app)
    const inspect = async (id: number) => {
      const company = companyIdFrom('import', id)
      // The queries have no company condition, so only row-level security restricts the rows.
      return inCompany(company, async (tx) => {
        const [accounts, bills] = await Promise.all([
          tx.selectFrom('utility_account').select('company_id').distinct().execute(),
          tx.selectFrom('utility_bill').select('company_id').distinct().execute(),
        ])
        return [...accounts, ...bills].map((row) => row.company_id)
      })
    }
    const ids = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? companies.harborcity : companies.maplegrove))
    expect(await Promise.all(ids.map(inspect))).toEqual(ids.map((id) => [id, id]))
    const outside = await outsideCompanies(pools.app)((tx) => tx.selectFrom('utility_account').selectAll().execute())
    expect(outside).toEqual([])
  })

  test('ends slow statements and idle transactions', async () => {
    const settingsQuery = sql<{
      limits: string
    }>`SELECT current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout') AS limits`
    for (const within of [
      outsideCompanies(pools.app),
      outsideCompanies(pools.platform),
      <T>(work: (tx: Tx) => Promise<T>) => tenancyOn(pools.app)(maplegrove(), work),
    ])
      expect((await within((tx) => settingsQuery.execute(tx))).rows).toEqual([{ limits: '15s 30s' }])
    const client = await pools.streams.connect()
    await client.query(startStream(maplegrove()))
    expect((await client.query("SELECT current_setting('statement_timeout') AS is")).rows).toEqual([{ is: '10min' }])
    await client.query('COMMIT')
    client.release()

    const slow = tenancyOn(pools.app, { statementMs: 100, idleMs: 100 })
    await expect(slow(maplegrove(), (tx) => sql`SELECT pg_sleep(10)`.execute(tx))).rejects.toThrow(/statement timeout/)
    const idle = slow(maplegrove(), async (tx) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
      const backend = 'SELECT FROM pg_stat_activity WHERE pid = $1'
      await expect.poll(async () => (await database.owner.query(backend, [rows[0]?.pid])).rowCount).toBe(0)
      await sql`SELECT 1`.execute(tx)
    })
    await expect(idle).rejects.toThrow()
    // The settings ended with their transaction, and the connections still work.
    expect((await pools.app.query("SELECT current_setting('statement_timeout') AS is")).rows).toEqual([{ is: '0' }])
  })

  test('refuses LISTEN at the start instead of missing notifications', async () => {
    await expect(listening).rejects.toThrow(/^DATABASE_LISTEN_URL must lead to PostgreSQL itself/)
    await proveListening(connectionTo(database.urls.app, 'listener'), pools.app)
  })
})
