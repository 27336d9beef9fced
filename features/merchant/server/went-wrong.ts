import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import { methods } from '../../payments/rules.ts'
import {
  type DeclineReason,
  type DisputeState,
  type ReturnCode,
  returnCodes,
  type ReturnGroup,
} from '../../payments/rules-declines.ts'
import { DISPUTE_STATE, IS_DECLINED, OF_DISPUTES, reasonOf } from '../../payment-report/api.ts'
import type { Period } from '../rules.ts'

/** Company, period and previous period. */
export interface FailureQuery {
  company: Pick<Company, 'id' | 'timeZone'>
  now: Period
  before: Period
}

/**
 * Returns the instants at which the earlier period starts and the later period ends. `laterFrom` is the start of the
 * later period.
 */
const momentsOf = ({ company: { timeZone }, now, before }: FailureQuery) => ({
  from: midnightIn(timeZone, before.fromDate),
  laterFrom: midnightIn(timeZone, now.fromDate),
  until: midnightIn(timeZone, addDays(now.toDate, 1)),
})

interface DeclineCount {
  now: boolean
  reason: DeclineReason
  attempts: number
  payments: number
}

/**
 * Counts declined attempts for payments of both periods, by reason. Attempts before both periods are skipped, because
 * an attempt is never older than its payment.
 */
export async function declinesOf(tx: Tx, query: FailureQuery): Promise<DeclineCount[]> {
  const { from, laterFrom, until } = momentsOf(query)
  const { rows } = await sql<DeclineCount>`
    SELECT o.created_at >= ${laterFrom} AS now, ${reasonOf(sql`a.error_code`)} AS reason, count(*)::int AS attempts, count(DISTINCT a.order_id)::int AS payments
    FROM payment_attempt a JOIN payment_order o ON o.company_id = a.company_id AND o.id = a.order_id
    WHERE a.company_id = ${query.company.id} AND ${IS_DECLINED} AND a.created_at >= ${from} AND o.created_at >= ${from} AND o.created_at < ${until}
    GROUP BY 1, 2 ORDER BY attempts DESC, reason`.execute(tx)
  return rows
}

interface ReturnCount {
  now: boolean
  code: string
  payments: number
  cents: number
  /** Number of eChecks returned before settlement. They were never captured. */
  neverPaid: number
}

/** Counts the returned eChecks of both periods, by NACHA code. */
export async function returnsOf(tx: Tx, query: FailureQuery): Promise<ReturnCount[]> {
  const { from, laterFrom, until } = momentsOf(query)
  const { rows } = await sql<ReturnCount>`
    SELECT created_at >= ${laterFrom} AS now, return_code AS code, count(*)::int AS payments, sum(total_cents)::bigint AS cents,
      count(*) FILTER (WHERE paid_at IS NULL)::int AS "neverPaid"
    FROM payment_order WHERE company_id = ${query.company.id} AND return_code IS NOT NULL AND method = ${methods.echeck}
      AND created_at >= ${from} AND created_at < ${until}
    GROUP BY 1, 2 ORDER BY payments DESC, code`.execute(tx)
  return rows
}

export const groupOf = (code: string): ReturnGroup => returnCodes[code as ReturnCode]?.group ?? 'other'

interface DisputeCount {
  now: boolean
  state: DisputeState
  disputes: number
  cents: number
}

/** Counts the disputes about payments of both periods, by result. */
export async function disputesOf(tx: Tx, query: FailureQuery): Promise<DisputeCount[]> {
  const { from, laterFrom, until } = momentsOf(query)
  const { rows } = await sql<DisputeCount>`
    SELECT d.created_at >= ${laterFrom} AS now, d.state, count(*)::int AS disputes, sum(d.cents)::bigint AS cents FROM (
      SELECT o.created_at, ${DISPUTE_STATE} AS state, coalesce(max(t.amount_cents) FILTER (WHERE t.kind = 'dispute.reserve'), 0) AS cents
      FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE t.company_id = ${query.company.id} AND ${OF_DISPUTES} AND t.at >= ${from} AND o.created_at >= ${from} AND o.created_at < ${until}
      GROUP BY t.order_id, t.source_ref, o.created_at) d
    GROUP BY 1, 2`.execute(tx)
  return rows
}
