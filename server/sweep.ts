import { sql } from 'kysely'
import { removeFiles } from './attachments/keep.ts'
import type { House } from './house.ts'

/** Rows that one statement takes away, so that none holds its locks for long. */
const BATCH = 5000
const DAY_MS = 86_400_000

/** Every hour what is over goes. */
export function defineSweeping(house: House): void {
  house.jobs.define('house.sweep', async () => void (await sweep(house)), { cron: '23 * * * *', retryLimit: 0 })
}

/** Takes all of it away, over all towns. @returns how many rows */
export async function sweep(house: House): Promise<number> {
  let swept = 0
  for (const { table, since, days, files, only = 'true' } of house.retention) {
    const before = new Date(house.clock.now().getTime() - days * DAY_MS)
    const oldest = sql<{ path: string | null }>`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(since)} < ${before} AND ${sql.raw(only)} LIMIT ${BATCH}))
      ${files ? sql`RETURNING path` : sql``}`
    let count = BATCH
    while (count === BATCH) {
      const { numAffectedRows, rows } = await house.acrossCompanies((tx) => oldest.execute(tx))
      if (files) await removeFiles(house, rows)
      count = Number(numAffectedRows ?? 0)
      swept += count
    }
  }
  return swept
}
