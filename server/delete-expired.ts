import { sql } from 'kysely'
import { removeFiles } from './attachments/keep.ts'
import type { AppContext } from './app-context.ts'

/** Maximum number of rows that one statement deletes, so that no statement holds locks for long. */
const BATCH = 5000
const DAY_MS = 86_400_000

/** Defines the job that deletes expired rows every hour. */
export function defineRetention(context: AppContext): void {
  context.jobs.define('retention.delete', async () => void (await deleteExpired(context)), {
    cron: '23 * * * *',
    retryLimit: 0,
  })
}

/** Deletes the expired rows of all companies. @returns the number of rows */
export async function deleteExpired(context: AppContext): Promise<number> {
  let deleted = 0
  for (const { table, since, days, files, only = 'true' } of context.retention) {
    const before = new Date(context.clock.now().getTime() - days * DAY_MS)
    const oldest = sql<{ path: string | null }>`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(since)} < ${before} AND ${sql.raw(only)} LIMIT ${BATCH}))
      ${files ? sql`RETURNING path` : sql``}`
    let count = BATCH
    while (count === BATCH) {
      const { numAffectedRows, rows } = await context.acrossCompanies((tx) => oldest.execute(tx))
      if (files) await removeFiles(context, rows)
      count = Number(numAffectedRows ?? 0)
      deleted += count
    }
  }
  return deleted
}
