import { type RawBuilder, sql } from 'kysely'
import { dayOf, during, type Measure, type Scope } from './measure.ts'
import { OF_SIGN_INS } from './sign-ins.ts'

const counted = (scope: Scope, part: RawBuilder<unknown>, at: string, from: RawBuilder<unknown>) => sql`
  SELECT ${dayOf(at, scope)} AS day, ${part} AS part, count(*) AS count, 0::bigint AS cents
  FROM ${from} AND ${during(at, scope)} GROUP BY 1, 2`

/** Failed sign-ins and payments, and failed emails of the portal. */
export const failures: Measure = {
  name: 'failures',
  rows: (scope) => {
    const own = sql`company_id = ${scope.company}`
    return sql.join(
      [
        counted(
          scope,
          sql`'sign_in'`,
          'e.at',
          sql`audit_event e WHERE e.${own} AND ${OF_SIGN_INS} AND e.action = 'sign_in.refused'`,
        ),
        counted(
          scope,
          sql`event`,
          'at',
          sql`status_history WHERE ${own} AND machine = 'order' AND event IN ('declined', 'returned')`,
        ),
        counted(scope, sql`'alert'`, 'at', sql`payment_alert WHERE ${own}`),
        counted(
          scope,
          sql`'mail'`,
          'created_at',
          sql`email_outbox WHERE ${own} AND sent_at IS NULL AND last_error IS NOT NULL`,
        ),
      ],
      sql` UNION ALL `,
    )
  },
}
