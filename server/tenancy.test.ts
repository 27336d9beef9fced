import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../test/harness.ts'
import { outsideCompanies } from './tenancy.ts'

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
