import { sql } from 'kysely'
import { removeFiles } from './attachments/keep.ts'
import type { House } from './house.ts'

/** Rows that one statement takes away, so that none holds its locks for long. */
const BATCH = 5000
const DAY_MS = 86_400_000

interface Retention {
  table: string
  /** The column that says since when a row is of no more use; null there keeps it. */
  since: string
  /** For how many days it is kept all the same. */
  days: number
  /** Its rows name files of the store in the column `path`, which go with them. */
  files?: true
  /** Rows for which alone this holds. */
  only?: string
}

/**
 * Everything that is taken away by itself, and when. What has expired stays for a while to say "this link is too old"
 * rather than "there is none", and to look up who was signed in where; mails to see what somebody was told; keys of calls
 * to answer the same again; the provider's events to see what was learned when.
 */
export const retention: readonly Retention[] = [
  { table: 'download_ticket', since: 'expires_at', days: 1 },
  { table: 'platform_download_ticket', since: 'expires_at', days: 1 },
  { table: 'failed_guess', since: 'window_started_at', days: 1 },
  { table: 'factor_step', since: 'expires_at', days: 1 },
  { table: 'platform_factor_step', since: 'expires_at', days: 1 },
  { table: 'sso_attempt', since: 'expires_at', days: 1 },
  { table: 'sso_pending', since: 'expires_at', days: 1 },
  // Files that are kept for some days only, and what is left of those that the virus scanner refused.
  { table: 'attachment', since: 'expires_at', days: 0, files: true },
  { table: 'attachment', since: 'refused_at', days: 90 },
  // Nobody went on with it for a day.
  { table: 'upload', since: 'expires_at', days: 0 },
  // Past this its token is refused for its age.
  { table: 'ccs_hand_off', since: 'expires_at', days: 0 },
  { table: 'account_link', since: 'expires_at', days: 30 },
  { table: 'platform_account_link', since: 'expires_at', days: 30 },
  { table: 'case_link', since: 'expires_at', days: 30 },
  { table: 'checkout_link', since: 'expires_at', days: 30 },
  // A job that tells is tried for hours at most.
  { table: 'case_told', since: 'told_at', days: 30 },
  { table: 'idempotency_key', since: 'created_at', days: 30 },
  // Long enough for somebody who waits for a paper; then what they typed is no longer ours to keep.
  { table: 'field_draft', since: 'saved_at', days: 90 },
  { table: 'session', since: 'expires_at', days: 90 },
  { table: 'platform_session', since: 'expires_at', days: 90 },
  { table: 'mail_outbox', since: 'sent_at', days: 90 },
  { table: 'platform_mail', since: 'sent_at', days: 90 },
  // Nobody will send these any more: the last try was half a year ago, or there is no server to send them.
  { table: 'mail_outbox', since: 'created_at', days: 180, only: 'sent_at IS NULL' },
  { table: 'platform_mail', since: 'created_at', days: 180, only: 'sent_at IS NULL' },
  // What its job left behind because a later version of the portal knows its event no more.
  { table: 'notice_waiting', since: 'at', days: 30 },
  { table: 'sms_message', since: 'created_at', days: 180 },
  { table: 'sms_incoming', since: 'at', days: 90 },
  // Nobody came back with the code.
  { table: 'sms_number', since: 'code_expires_at', days: 1, only: 'confirmed_at IS NULL' },
  { table: 'sandbox_sms', since: 'at', days: 30 },
  // An address that was left alone for so long counts as new.
  { table: 'refused_address', since: 'rests_until', days: 60 },
  // Those that were not applied stay until somebody has looked at them.
  { table: 'provider_event', since: 'applied_at', days: 90 },
]

/** Every hour what is over goes. */
export function defineSweeping(house: House): void {
  house.jobs.define('house.sweep', async () => void (await sweep(house)), { cron: '23 * * * *', retryLimit: 0 })
}

/** Takes all of it away, over all towns. @returns how many rows */
export async function sweep(house: House): Promise<number> {
  let swept = 0
  for (const { table, since, days, files, only = 'true' } of retention) {
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
