import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { lastTried } from '../../payments/server/outage/tried.ts'
import type { TriedPayment } from '../../payments/contract-tried.ts'

/** What was tried before that has nothing to do with a shut-off any more. */
const WEEKS_BEFORE_DAYS = 60

/** A shut-off as its customer, and whoever helps them, has to know it. */
export interface Shutoff {
  state: 'scheduled' | 'off'
  /** The day on which service is shut off, or was. */
  on: string
  /** What has to be paid; null: all that is past due. */
  amountCents: number | null
  reason: string
  /** Somebody tried to pay in the weeks before, while payments were out. */
  tried: TriedPayment | null
}

/** Of an account `a`, as JSON: the shut-off that stands, one that was done before one that is scheduled. */
export const openShutoff = sql<Shutoff | null>`
  (SELECT jsonb_build_object('state', s.state, 'on', coalesce(s.off_on, s.scheduled_on), 'amountCents', s.amount_cents, 'reason', s.reason,
    'tried', ${lastTried(sql`a.company_id`, 'utility', sql`a.id`, sql`coalesce(s.scheduled_on, s.off_on) - ${WEEKS_BEFORE_DAYS}::int`)})
   FROM utility_shutoff s WHERE s.company_id = a.company_id AND s.account_id = a.id AND s.state <> 'restored'
   ORDER BY s.state = 'off' DESC, coalesce(s.off_on, s.scheduled_on) LIMIT 1)`

/** The same of one account. */
export async function openShutoffOf(tx: Tx, company: CompanyId, account: number): Promise<Shutoff | null> {
  const { rows } = await sql<{ shutoff: Shutoff | null }>`
    SELECT ${openShutoff} AS shutoff FROM utility_account a WHERE a.company_id = ${company} AND a.id = ${account}`.execute(
    tx,
  )
  return rows[0]?.shutoff ?? null
}
