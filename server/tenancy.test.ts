import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../test/harness.ts'
import { companyIdFrom, outsideCompanies, readingOn, readingOutside, tenancyOn, type Tx } from './tenancy.ts'

test('a connection that breaks between two queries of a transaction fails that transaction, and nothing else', async () => {
  const { pools, owner } = await testDatabase()
  const outside = outsideCompanies(pools.app)
  const broken = outside(async (tx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    const pid = rows[0]?.pid
    await owner.query('SELECT pg_terminate_backend($1)', [pid])
    const isGone = async () => (await owner.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 0
    await expect.poll(isGone).toBe(true)
    await sql`SELECT 1`.execute(tx)
  })
  await expect(broken).rejects.toThrow()
  expect((await outside((tx) => sql`SELECT 1 AS one`.execute(tx))).rows).toEqual([{ one: 1 }])
})

test('a transaction that only reads refuses to write, and its connection serves the next one', async () => {
  const { pools } = await testDatabase()
  const company = companyIdFrom('job', 1)
  const write = (tx: Tx) => sql`UPDATE session SET device = device WHERE company_id = ${company}`.execute(tx)
  await expect(readingOn(pools.app)(company, write)).rejects.toThrow('read-only transaction')
  await expect(readingOutside(pools.platform)(write)).rejects.toThrow('read-only transaction')
  const pidOf = async (tx: Tx) => (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)).rows[0]?.pid
  const pids = new Set<unknown>()
  // A connection that was not given back would be missing: the pool has fewer than that.
  for (let turn = 0; turn < 100; turn++) pids.add(await readingOn(pools.app)(company, pidOf))
  expect(pids.size).toBeLessThan(100)
  expect((await tenancyOn(pools.app)(company, write)).rows).toEqual([])
})
