import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../test/harness.ts'
import { companyIdFrom, outsideCompanies, readingOn, readingOutside, tenancyOn, type Tx } from './tenancy.ts'

test('fails only the transaction with the broken connection', async () => {
  const { pools, owner } = await testDatabase()
  const outside = outsideCompanies(pools.app)
  const failing = outside(async (tx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    const pid = rows[0]?.pid
    await owner.query('SELECT pg_terminate_backend($1)', [pid])
    const isGone = async () => (await owner.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 0
    await expect.poll(isGone).toBe(true)
    await sql`SELECT 1`.execute(tx)
  })
  await expect(failing).rejects.toThrow()
  expect((await outside((tx) => sql`SELECT 1 AS one`.execute(tx))).rows).toEqual([{ one: 1 }])
})

test('rejects writes in a read-only transaction and reuses its connection', async () => {
  const { pools } = await testDatabase()
  const company = companyIdFrom('job', 1)
  const write = (tx: Tx) => sql`UPDATE session SET device = device WHERE company_id = ${company}`.execute(tx)
  await expect(readingOn(pools.app)(company, write)).rejects.toThrow('read-only transaction')
  await expect(readingOutside(pools.platform)(write)).rejects.toThrow('read-only transaction')
  const pidOf = async (tx: Tx) => (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)).rows[0]?.pid
  const pids = new Set<unknown>()
  // The pool has fewer than 100 connections, so a leaked connection would block the test.
  for (let round = 0; round < 100; round++) pids.add(await readingOn(pools.app)(company, pidOf))
  expect(pids.size).toBeLessThan(100)
  expect((await tenancyOn(pools.app)(company, write)).rows).toEqual([])
})
