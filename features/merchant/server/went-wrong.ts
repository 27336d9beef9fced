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
} from '../../payments/report.ts'
import { DISPUTE_STATE, IS_DECLINED, OF_DISPUTES, reasonOf } from '../../payments/server/trouble.ts'
import type { Period } from '../rules.ts'

/** Of which town and of which days: a period and the one before it. */
export interface FailureQuery {
  town: Pick<Company, 'id' | 'timeZone'>
  now: Period
  before: Period
}

/** The moments between which the payments of both periods were made, and where the second one begins. */
const momentsOf = ({ town: { timeZone }, now, before }: FailureQuery) => ({
  from: midnightIn(timeZone, before.fromDate),
  turn: midnightIn(timeZone, now.fromDate),
  until: midnightIn(timeZone, addDays(now.toDate, 1)),
})

interface DeclineCount {
  now: boolean
  reason: DeclineReason
  attempts: number
  payments: number
}

/** Declined attempts of the payments of these days, by reason. No attempt is older than its payment. */
export async function declinesOf(tx: Tx, asked: FailureQuery): Promise<DeclineCount[]> {
  const { from, turn, until } = momentsOf(asked)
  const { rows } = await sql<DeclineCount>`
    SELECT o.created_at >= ${turn} AS now, ${reasonOf(sql`a.error_code`)} AS reason, count(*)::int AS attempts, count(DISTINCT a.order_id)::int AS payments
    FROM payment_attempt a JOIN payment_order o ON o.company_id = a.company_id AND o.id = a.order_id
    WHERE a.company_id = ${asked.town.id} AND ${IS_DECLINED} AND a.created_at >= ${from} AND o.created_at >= ${from} AND o.created_at < ${until}
    GROUP BY 1, 2 ORDER BY attempts DESC, reason`.execute(tx)
  return rows
}

interface ReturnCount {
  now: boolean
  code: string
  payments: number
  cents: number
  /** Those that came back before they had been paid, so that no capture counts them. */
  neverPaid: number
}

/** eChecks of these days that came back, by NACHA's code. */
export async function returnsOf(tx: Tx, asked: FailureQuery): Promise<ReturnCount[]> {
  const { from, turn, until } = momentsOf(asked)
  const { rows } = await sql<ReturnCount>`
    SELECT created_at >= ${turn} AS now, return_code AS code, count(*)::int AS payments, sum(total_cents)::bigint AS cents,
      count(*) FILTER (WHERE paid_at IS NULL)::int AS "neverPaid"
    FROM payment_order WHERE company_id = ${asked.town.id} AND return_code IS NOT NULL AND method = ${methods.echeck}
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

/** Disputes about payments of these days, by what came of them. */
export async function disputesOf(tx: Tx, asked: FailureQuery): Promise<DisputeCount[]> {
  const { from, turn, until } = momentsOf(asked)
  const { rows } = await sql<DisputeCount>`
    SELECT d.created_at >= ${turn} AS now, d.state, count(*)::int AS disputes, sum(d.cents)::bigint AS cents FROM (
      SELECT o.created_at, ${DISPUTE_STATE} AS state, coalesce(max(t.amount_cents) FILTER (WHERE t.kind = 'dispute.reserve'), 0) AS cents
      FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE t.company_id = ${asked.town.id} AND ${OF_DISPUTES} AND t.at >= ${from} AND o.created_at >= ${from} AND o.created_at < ${until}
      GROUP BY t.order_id, t.source_ref, o.created_at) d
    GROUP BY 1, 2`.execute(tx)
  return rows
}
