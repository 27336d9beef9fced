import { sql } from 'kysely'
import { csvLabels } from '../../../server/csv.ts'
import { implementList } from '../../../server/list.ts'
import { allOutages, paymentOutages, deferredPayments } from '../list.ts'
import { deferredPaymentStates, deferredActions } from '../states.ts'
import { attemptStatus } from '../../payments/rules.ts'

const provider = sql`(SELECT p.name FROM processor p WHERE p.provider = r.provider)`

/**
 * SQL for the number of payment attempts and deferred payments in an outage. Each repeated attempt counts. The SQL uses
 * CASE, because with row-level security, coalesce cannot be part of the index condition.
 */
const tried = sql`((SELECT count(*) FROM payment_attempt a WHERE a.company_id = r.company_id AND a.provider = r.provider
    AND a.created_at >= r.since - interval '2 minutes' AND a.created_at <= CASE WHEN r.until IS NULL THEN 'infinity' ELSE r.until END
    AND a.checked_at >= r.since AND a.status <> ${sql.lit(attemptStatus.succeeded)}
    AND a.step IN ('new', 'created', 'submitted', 'canceled'))
  + (SELECT count(*) FROM deferred_payment p WHERE p.company_id = r.company_id AND p.outage_id = r.id))::int`

const deferred = (which: ReturnType<typeof sql>) => sql`(SELECT count(*)::int FROM deferred_payment p
  WHERE p.company_id = r.company_id AND p.outage_id = r.id AND ${which})`

const shared = { since: 'since', until: 'until', provider, tried } as const

export const outageLists = [
  ...implementList(paymentOutages, {
    table: sql`payment_outage`,
    columns: {
      ...shared,
      deferred: deferred(sql`p.action IN ('charge', 'remind')`),
      paidLater: deferred(sql`p.status = 'paid'`),
      unkept: deferred(sql`p.status IN ('failed', 'changed')`),
    },
    row: () => ({ can: { view: true } }),
    exported: 'export.outages',
  }),
  ...implementList(deferredPayments, {
    table: sql`deferred_payment`,
    columns: {
      madeAt: 'made_at',
      reference: 'reference',
      payer: 'payer_name',
      email: 'email',
      totalCents: 'total_cents',
      action: 'action',
      methodLabel: 'method_label',
      status: 'status',
      finishedAt: 'finished_at',
      paymentId: 'order_id',
      outageId: 'outage_id',
    },
    csv: {
      action: csvLabels('r.action', deferredActions),
      status: csvLabels('r.status', deferredPaymentStates.labels),
    },
    filters: { status: (status) => sql`r.status = ${status}` },
    row: () => ({ can: { view: true } }),
    exported: 'export.deferred_payments',
  }),
  ...implementList(allOutages, {
    table: sql`payment_outage`,
    joins: sql`LEFT JOIN company c ON c.id = r.company_id`,
    columns: { ...shared, company: sql`c.name` },
    row: () => ({ can: {} }),
  }),
]
