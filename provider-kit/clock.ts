import type { Database } from './database.ts'

/**
 * Creates the gateway's clock: real time plus an offset that tests can change. Stores the offset in the database, so
 * that it survives a restart.
 */
export async function openClock(database: Database) {
  const { rows } = await database.query<{ clock_offset_ms: number }>('SELECT clock_offset_ms FROM state')
  let offset = rows[0]?.clock_offset_ms ?? 0
  const now = () => new Date(Date.now() + offset)
  return {
    now,
    /** Sets the clock to an instant, or advances it by milliseconds. */
    async move(to: { now?: string | undefined; advanceMs?: number | undefined }): Promise<Date> {
      if (to.now !== undefined) offset = new Date(to.now).getTime() - Date.now()
      if (to.advanceMs !== undefined) offset += to.advanceMs
      await database.query('UPDATE state SET clock_offset_ms = $1', [Math.round(offset)])
      return now()
    },
  }
}
export type Clock = Awaited<ReturnType<typeof openClock>>
