import { sql } from 'kysely'
import { dayOf, during, type Measure } from './measure.ts'

/**
 * Captured payments from the ledger, by location and method. Cents include the fee. Later reversals appear only in the
 * money reports.
 */
export const payments: Measure = {
  name: 'payments',
  rows: (scope) => sql`
    SELECT ${dayOf('t.at', scope)} AS day, o.location || ':' || o.method AS part,
      count(*) FILTER (WHERE t.kind = 'capture.bill' AND coalesce(t.line_no, 1) = 1) AS count, sum(t.amount_cents)::bigint AS cents
    FROM ledger_transfer t JOIN payment_order o ON o.company_id = ${scope.company} AND o.id = t.order_id
    WHERE t.company_id = ${scope.company} AND t.kind IN ('capture.bill', 'capture.fee') AND ${during('t.at', scope)}
    GROUP BY 1, 2`,
}
