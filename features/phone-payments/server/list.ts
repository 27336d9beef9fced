import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { phoneCalls } from '../list.ts'
import { orderStatus } from '../../payments/rules.ts'

export const phoneCallsCalls = implementList(phoneCalls, {
  table: sql`phone_call`,
  joins: sql`LEFT JOIN payment_order o ON o.company_id = r.company_id AND o.id = r.order_id`,
  columns: {
    startedAt: 'started_at',
    // The last digits are enough to distinguish callers.
    phone: sql`'… ' || right(r.phone, 4)`,
    reference: 'reference',
    outcome: 'outcome',
    receipt: sql`CASE WHEN r.order_id IS NULL THEN '' ELSE 'P' || r.order_id END`,
    amount: sql`CASE WHEN o.status = ${sql.lit(orderStatus.success)} THEN o.total_cents ELSE 0 END`,
  },
  row: () => ({ can: { view: true } }),
})
