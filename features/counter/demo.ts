import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'

/**
 * Limits orders to payments of utility bills. Other parts of the demo insert their payments at the same time, so some
 * of those payments may be missing.
 */
const ofBills = sql`EXISTS (SELECT FROM payment_order_line l WHERE l.company_id = o.company_id AND l.order_id = o.id AND l.kind = 'utility')`

/** Opening cash of each drawer: $150.00 in notes and coins. */
const FLOAT = { counts: { 2000: 4, 1000: 3, 500: 4, 100: 20 }, cents: 150_00 }

/** Closing amount as counts of notes and coins, largest first. */
const COUNTED = sql`jsonb_strip_nulls(jsonb_build_object(
  '2000', nullif(c.closing / 2000, 0), '1000', nullif(c.closing % 2000 / 1000, 0), '500', nullif(c.closing % 1000 / 500, 0),
  '100', nullif(c.closing % 500 / 100, 0), '25', nullif(c.closing % 100 / 25, 0), '5', nullif(c.closing % 25 / 5, 0), '1', nullif(c.closing % 5, 0)))`

/**
 * Adds the drawers of the last year. Each day's counter payments are divided between the drawers of two staff members.
 * Some drawers have too much or too little cash.
 */
async function addDrawers(tx: Tx, company: CompanyId, now: Date): Promise<void> {
  await sql`
    WITH clerk AS (
      SELECT id, trim(first_name || ' ' || last_name) AS name, row_number() OVER (ORDER BY role_id DESC, id) - 1 AS nth
      FROM person WHERE company_id = ${company} AND role_id IN (3, 4) AND is_active = 1 ORDER BY role_id DESC, id LIMIT 2
    ), office AS (
      SELECT o.*, row_number() OVER (ORDER BY o.id) AS nth FROM payment_order o
      WHERE o.company_id = ${company} AND o.location = 5 AND o.paid_at IS NOT NULL AND ${ofBills}
    ), received AS MATERIALIZED (
      SELECT o.id, o.created_at AS at, o.total_cents, (o.created_at AT TIME ZONE z.zone)::date AS day, k.id AS staff_id, k.nth AS clerk_nth, k.name,
        CASE WHEN o.method = 3 AND o.status <> 5 THEN o.total_cents ELSE 0 END AS cash
      FROM office o JOIN company t ON t.id = o.company_id JOIN timezone z ON z.id = t.timezone_id
        JOIN clerk k ON k.nth = o.nth % (SELECT count(*) FROM clerk)
    ), counted AS MATERIALIZED (
      SELECT nextval('drawer_id_seq') AS id, x.*, ${FLOAT.cents} + x.cash + x.off AS closing FROM (
        SELECT day, staff_id, name, min(at) - interval '20 minutes' AS opened_at, least(max(at) + interval '40 minutes', ${now}::timestamptz) AS closed_at,
          sum(cash)::bigint AS cash,
          CASE (extract(doy FROM day)::int * 13 + clerk_nth::int) % 9 WHEN 0 THEN -100 WHEN 4 THEN 25 WHEN 7 THEN -5 ELSE 0 END AS off
        FROM received GROUP BY day, staff_id, clerk_nth, name ORDER BY day) x
    ), drawers AS (
      INSERT INTO drawer (company_id, id, status, staff_id, staff_name, opened_at, opening_counts, opening_cents, closed_at, closing_counts,
        closing_cents, expected_cents, note, sheet)
      SELECT ${company}, c.id, 'closed', c.staff_id, c.name, c.opened_at, ${JSON.stringify(FLOAT.counts)}::jsonb, ${FLOAT.cents}, c.closed_at, ${COUNTED},
        c.closing, c.closing - c.off, CASE c.off WHEN -100 THEN 'Probably one bill too many in change.' WHEN 0 THEN '' ELSE 'The coins were miscounted.' END,
        jsonb_build_object('laterVoids', '[]'::jsonb, 'payments', s.payments)
      FROM counted c CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('paymentId', o.id, 'receipt', 'P' || o.id, 'at', to_char(o.created_at AT TIME ZONE 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payer', o.payer_name, 'reference', o.reference, 'method', o.method, 'methodLabel', o.method_label,
            'totalCents', o.total_cents, 'changeCents', x.change, 'status', o.status) ORDER BY o.id DESC), '[]'::jsonb) AS payments
        FROM received t JOIN office o ON o.id = t.id CROSS JOIN LATERAL (SELECT CASE WHEN t.cash > 0 THEN (2000 - t.cash % 2000) % 2000 ELSE 0 END AS change) x
        WHERE t.day = c.day AND t.staff_id = c.staff_id) s
    ), into_them AS (
      INSERT INTO drawer_payment (company_id, order_id, drawer_id, tendered_cents, change_cents)
      SELECT ${company}, t.id, c.id, t.total_cents + x.change, x.change FROM received t JOIN counted c ON c.day = t.day AND c.staff_id = t.staff_id
        CROSS JOIN LATERAL (SELECT CASE WHEN t.cash > 0 THEN (2000 - t.cash % 2000) % 2000 ELSE 0 END AS change) x
    )
    INSERT INTO ledger_transfer (company_id, entry_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
    SELECT ${company}, nextval('ledger_entry_number'), CASE WHEN c.off > 0 THEN 'office_cash' ELSE 'cash_over_short' END,
      CASE WHEN c.off > 0 THEN 'cash_over_short' ELSE 'office_cash' END, abs(c.off), 'office', 'drawer-' || c.id,
      CASE WHEN c.off > 0 THEN 'drawer.over' ELSE 'drawer.short' END, c.closed_at
    FROM counted c WHERE c.off <> 0`.execute(tx)
}

const REASONS = [
  'Paid twice by mistake',
  'The bill was corrected',
  'Moved away before the bill',
  'Wrong account was paid',
]

/**
 * Adds refund requests with the staff members involved: one for each past refund, one that was declined, and one that
 * awaits approval.
 */
async function addRefunds(tx: Tx, company: CompanyId, now: Date): Promise<void> {
  await sql`
    WITH people AS (
      SELECT max(id) FILTER (WHERE role_id = 4) AS manager, max(id) FILTER (WHERE role_id = 5) AS admin FROM person
      WHERE company_id = ${company} AND role_id IN (4, 5) AND is_active = 1
    ), name AS (SELECT id, trim(first_name || ' ' || last_name) AS name FROM person WHERE company_id = ${company}),
    given AS (
      SELECT t.order_id, t.source_ref AS ref, t.at, sum(t.amount_cents)::bigint AS cents, 'done' AS status
      FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE t.company_id = ${company} AND t.kind IN ('refund.bill', 'refund.fee') AND ${ofBills} GROUP BY 1, 2, 3
      UNION ALL
      (SELECT o.id, NULL, ${now}::timestamptz - interval '2 hours', o.total_cents, 'waiting' FROM payment_order o
       WHERE o.company_id = ${company} AND o.status = 1 AND o.refunded_cents = 0 AND NOT o.dispute_open AND o.location = 1 AND ${ofBills}
         AND o.created_at > ${now}::timestamptz - interval '90 days' ORDER BY o.total_cents DESC, o.id LIMIT 1)
      UNION ALL
      (SELECT o.id, NULL, ${now}::timestamptz - interval '6 days', o.total_cents, 'declined' FROM payment_order o
       WHERE o.company_id = ${company} AND o.status = 1 AND o.refunded_cents = 0 AND NOT o.dispute_open AND o.location = 1 AND ${ofBills}
         AND o.created_at > ${now}::timestamptz - interval '90 days' ORDER BY o.total_cents DESC, o.id OFFSET 1 LIMIT 1)
    )
    INSERT INTO payment_refund (company_id, order_id, attempt_id, kind, amount_cents, reason, status, requested_by, requested_by_name, requested_at,
      decided_by, decided_by_name, decided_at, provider_ref, note, idempotency_key)
    SELECT ${company}, g.order_id, a.id, 'refund', g.cents, (${REASONS}::text[])[1 + g.cents % ${REASONS.length}], g.status, asker.id, asker.name,
      g.at - interval '2 minutes', decider.id, coalesce(decider.name, ''), CASE WHEN decider.id IS NOT NULL THEN g.at END, g.ref,
      CASE g.status WHEN 'declined' THEN 'Paid only once. The other payment is for a different account.' ELSE '' END,
      'demo-refund-' || g.order_id || '-' || coalesce(g.ref, g.status)
    FROM given g CROSS JOIN people p
      JOIN payment_attempt a ON a.company_id = ${company} AND a.order_id = g.order_id AND a.step IN ('succeeded', 'returned')
      JOIN name asker ON asker.id = CASE WHEN g.status = 'done' THEN p.manager ELSE p.admin END
      LEFT JOIN name decider ON decider.id = CASE WHEN g.status = 'declined' THEN p.manager WHEN g.status = 'done' AND g.cents > 25000 THEN p.admin END`.execute(
    tx,
  )
}

export const demo: DemoPart = {
  company: async ({ db, clock, analyze }, _demoCompany, { company }) => {
    // Without current statistics, the queries read these tables once for each payment.
    await analyze('payment_order', 'payment_order_line', 'payment_attempt', 'ledger_transfer')
    await tenancyOn(db.app)(company, async (tx) => {
      await addDrawers(tx, company, clock.now())
      await addRefunds(tx, company, clock.now())
    })
  },
}
