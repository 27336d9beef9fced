import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { lastTried } from '../../outages/api.ts'
import type { TriedPayment } from '../../outages/contract-attempts.ts'

/** Maximum number of days between a payment attempt and the shutoff that it is related to. */
const MAX_DAYS_BEFORE = 60

/** Shutoff as shown to the customer and to staff. */
export interface Shutoff {
  state: 'scheduled' | 'off'
  /** Day on which service is, or was, shut off. */
  on: string
  /** Amount to pay, in cents. Null for the entire past due amount. */
  amountCents: number | null
  reason: string
  /** Payment attempt during a provider outage, in the weeks before the shutoff. Null if none. */
  tried: TriedPayment | null
}

/** SQL for the current shutoff of account `a`, as JSON. A completed shutoff takes precedence over a scheduled one. */
export const openShutoff = sql<Shutoff | null>`
  (SELECT jsonb_build_object('state', s.state, 'on', coalesce(s.off_on, s.scheduled_on), 'amountCents', s.amount_cents, 'reason', s.reason,
    'tried', ${lastTried(sql`a.company_id`, 'utility', sql`a.id`, sql`coalesce(s.scheduled_on, s.off_on) - ${MAX_DAYS_BEFORE}::int`)})
   FROM utility_shutoff s WHERE s.company_id = a.company_id AND s.account_id = a.id AND s.state <> 'restored'
   ORDER BY s.state = 'off' DESC, coalesce(s.off_on, s.scheduled_on) LIMIT 1)`

/** Step of a shutoff about which the portal must notify customers. */
interface ShutoffStep {
  account_id: number
  state: 'scheduled' | 'off' | 'restored'
  on: string
  amountCents: number | null
}

/**
 * Records that customers are notified of the current step of a shutoff, and returns the step. Empty if they were
 * already notified of this step. Also empty for restored service if they were never notified of the shutoff.
 */
export async function takeShutoffStep(tx: Tx, company: CompanyId, number: string): Promise<ShutoffStep[]> {
  const { rows } = await sql<ShutoffStep>`
    UPDATE utility_shutoff s SET notified_step = s.state || ' ' || coalesce(s.restored_on, s.off_on, s.scheduled_on)
    WHERE s.company_id = ${company} AND s.shutoff_number = ${number}
      AND s.notified_step <> s.state || ' ' || coalesce(s.restored_on, s.off_on, s.scheduled_on) AND (s.state <> 'restored' OR s.notified_step <> '')
    RETURNING s.account_id, s.state, coalesce(s.restored_on, s.off_on, s.scheduled_on) AS "on", s.amount_cents AS "amountCents"`.execute(
    tx,
  )
  return rows
}

/** Loads the current shutoff of one account. Null if it has none. */
export async function openShutoffOf(tx: Tx, company: CompanyId, account: number): Promise<Shutoff | null> {
  const { rows } = await sql<{ shutoff: Shutoff | null }>`
    SELECT ${openShutoff} AS shutoff FROM utility_account a WHERE a.company_id = ${company} AND a.id = ${account}`.execute(
    tx,
  )
  return rows[0]?.shutoff ?? null
}
