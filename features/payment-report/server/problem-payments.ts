import { type RawBuilder, sql } from 'kysely'
import type { CompanyId } from '../../../server/tenancy.ts'
import { declineCodes, type DeclineReason, type DisputeState, REFUSED_BY_BANK } from '../../payments/rules-declines.ts'
import { orderStatus } from '../../payments/rules.ts'

/**
 * SQL for payment problems. Each query uses a partial index, so its conditions must match the index conditions word for
 * word.
 */

const listOf = (codes: readonly string[]) => sql.join(codes.map((code) => sql.lit(code)))

/** Returns the SQL for the decline reason of an attempt. `code` is the SQL expression for the provider's code. */
export const reasonOf = (code: RawBuilder<unknown>): RawBuilder<DeclineReason> =>
  sql`CASE ${sql.join(
    Object.entries(declineCodes).map(
      ([reason, codes]) => sql`WHEN ${code} IN (${listOf(codes)}) THEN ${sql.lit(reason)}`,
    ),
    sql` `,
  )} ELSE 'other' END`

/**
 * SQL condition: true if attempt `a` to charge a bill was declined. A debit refused by a bank is a returned eCheck
 * instead.
 */
export const IS_DECLINED = sql`a.part = 'bill' AND a.step = 'failed' AND a.error_code IS DISTINCT FROM ${sql.lit(REFUSED_BY_BANK)}`

/** Returns the SQL for a company's orders with at least one decline for this reason. */
export const declinedOrders = (company: CompanyId | undefined, reason: DeclineReason): RawBuilder<unknown> => sql`
  SELECT a.order_id FROM payment_attempt a
  WHERE a.company_id = ${company} AND ${IS_DECLINED} AND ${reasonOf(sql`a.error_code`)} = ${reason}`

/** SQL condition for transfers `t` that belong to disputes. */
export const OF_DISPUTES = sql`t.kind IN ('dispute.reserve', 'dispute_won.reserve', 'dispute_lost.bill', 'dispute_lost.fee', 'dispute_lost.receivable')`

/**
 * SQL for the state of a dispute, based on its grouped transfers `t`. If the dispute was first won and then lost, it is
 * lost.
 */
export const DISPUTE_STATE: RawBuilder<DisputeState> = sql`
  CASE WHEN bool_or(t.kind IN ('dispute_lost.bill', 'dispute_lost.fee', 'dispute_lost.receivable')) THEN 'lost' WHEN bool_or(t.kind = 'dispute_won.reserve') THEN 'won' ELSE 'open' END`

/** SQL condition: true if a lost dispute reversed payment `r`. Such a payment has the same status as a refund. */
export const IS_CHARGED_BACK = sql`(r.status = ${sql.lit(orderStatus.refund)} AND EXISTS (SELECT FROM ledger_transfer t
  WHERE t.company_id = r.company_id AND t.order_id = r.id AND t.kind IN ('dispute_lost.bill', 'dispute_lost.fee', 'dispute_lost.receivable')))`

/** Returns the SQL for a company's orders with a dispute in this state. */
export const disputedOrders = (company: CompanyId | undefined, state: DisputeState): RawBuilder<unknown> => sql`
  SELECT t.order_id FROM ledger_transfer t WHERE t.company_id = ${company} AND ${OF_DISPUTES}
  GROUP BY t.order_id, t.source_ref HAVING ${DISPUTE_STATE} = ${state}`
