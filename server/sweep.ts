import { sql } from 'kysely'
import type { House } from './house.ts'

/** Rows that one statement takes away, so that none holds its locks for long. */
const BATCH = 5000
const DAY_MS = 86_400_000

/**
 * What answers nobody any more, by the column that says since when, and for how many days it is kept all the same: to
 * say "this link is too old" rather than "there is none", and to look up who was signed in where.
 */
export const fading: readonly (readonly [table: string, column: string, days: number])[] = [
  ['download_ticket', 'expires_at', 1],
  ['platform_download_ticket', 'expires_at', 1],
  ['failed_guess', 'window_started_at', 1],
  ['factor_step', 'expires_at', 1],
  ['platform_factor_step', 'expires_at', 1],
  ['sso_attempt', 'expires_at', 1],
  ['sso_pending', 'expires_at', 1],
  // Past this its token is refused for its age.
  ['ccs_hand_off', 'expires_at', 0],
  ['account_link', 'expires_at', 30],
  ['platform_account_link', 'expires_at', 30],
  ['support_link', 'expires_at', 30],
  ['checkout_link', 'expires_at', 30],
  ['session', 'expires_at', 90],
  ['platform_session', 'expires_at', 90],
]

/** Every hour what has expired goes. */
export function defineSweeping(house: House): void {
  house.jobs.define('house.sweep', async () => void (await sweep(house)), { cron: '23 * * * *', retryLimit: 0 })
}

/** Takes all of it away, over all towns. @returns how many rows */
export async function sweep(house: House): Promise<number> {
  let swept = 0
  for (const [table, column, days] of fading) {
    const before = new Date(house.clock.now().getTime() - days * DAY_MS)
    const oldest = sql`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(column)} < ${before} LIMIT ${BATCH}))`
    let count = BATCH
    while (count === BATCH) {
      const { numAffectedRows } = await house.acrossCompanies((tx) => oldest.execute(tx))
      count = Number(numAffectedRows ?? 0)
      swept += count
    }
  }
  return swept
}
