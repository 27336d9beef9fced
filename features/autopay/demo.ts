import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { defaultMandate } from './rules.ts'

/**
 * Demo data: a year of AutoPay, derived from the demo payments. Methods have published sandbox numbers, so the demo can
 * charge due bills. Some enrollments have ended, for different reasons.
 */
export const demo: DemoPart = {
  company: async ({ db, clock }, { company: { companyName } }, { company }) =>
    tenancyOn(db.app)(company, async (tx) => {
      const now = clock.now()
      // Disables nested loops. The new rows have no statistics yet, so PostgreSQL would choose nested loops that take
      // minutes.
      await sql`SET LOCAL enable_nestloop = off`.execute(tx)
      await storeMethods(tx, company, now, companyName)
      await enroll(tx, company, now, companyName)
      await charge(tx, company, now)
      await writeHistory(tx, company)
    }),
}

/** End reasons, chosen by account number. Each load gives the same result, and each reason occurs. */
const ENDS = sql`(VALUES
  (0, 'removed', 'card_declined', 'insufficient_funds', 1), (1, 'removed', 'card_refused', 'lost_card', 1),
  (2, 'removed', 'no_funds', 'R01', 2), (3, 'removed', 'bank_details', 'R02', 2), (4, 'removed', 'not_authorized', 'R07', 2),
  (5, 'ended', 'resident', '', 0), (6, 'ended', 'method_removed', '', 0)) AS e(n, state, reason, code, method)`

/** Selects the accounts with AutoPay payments, with the payer, the payment method and the time of the first payment. */
const paid = (company: CompanyId) => sql`
  SELECT l.payable_id, a.account_number, a.account_number::bigint AS nth, k.person_id, max(o.method) AS method, min(o.created_at) AS first_at
  FROM payment_order o
  JOIN payment_order_line l ON l.company_id = o.company_id AND l.order_id = o.id AND l.kind = 'utility'
  JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.payable_id
  JOIN linked_account k ON k.company_id = a.company_id AND k.account_id = a.id
  WHERE o.company_id = ${company} AND o.location = 6
  GROUP BY l.payable_id, a.account_number, k.person_id`

async function storeMethods(tx: Tx, company: CompanyId, now: Date, companyName: string): Promise<void> {
  await sql`
    INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label, bank_name,
      expires_on, is_default, mandate_text, mandate_at, mandate_address, mandate_device, created_at)
    SELECT ${company}::int, p.person_id, p.method, 'sandbox', '',
      CASE WHEN p.method = 2 THEN 'pm_usBankAccount:' WHEN p.nth % 3 = 0 THEN 'pm_card_mastercard:' ELSE 'pm_card_visa:' END || p.nth,
      CASE WHEN p.method = 2 THEN 'Checking account ending 6789' WHEN p.nth % 3 = 0 THEN 'Mastercard ending 4444' ELSE 'Visa ending 4242' END,
      CASE p.method WHEN 2 THEN 'TEST BANK' ELSE '' END,
      CASE p.method WHEN 1 THEN (date_trunc('month', ${now}::timestamptz) + (1 + p.nth % 40) * interval '1 month' - interval '1 day')::date END,
      true, ${defaultMandate(companyName)}, p.first_at - interval '9 days', '203.0.113.' || 1 + p.nth % 250, 'Firefox on Windows',
      p.first_at - interval '9 days'
    FROM (SELECT person_id, max(method) AS method, min(nth) AS nth, min(first_at) AS first_at FROM (${paid(company)}) paid GROUP BY person_id) p`.execute(
    tx,
  )
}

async function enroll(tx: Tx, company: CompanyId, now: Date, companyName: string): Promise<void> {
  await sql`
    INSERT INTO autopay_mandate (company_id, version, text, since)
    VALUES (${company}, 1, ${defaultMandate(companyName)}, ${now}::timestamptz - interval '400 days')`.execute(tx)
  await sql`
    INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before, day_of_month,
      cap_cents, enrolled_at, ended_at, end_reason, end_code, search_text)
    SELECT ${company}::int, p.person_id, 'utility', p.payable_id, p.account_number, m.id,
      coalesce(e.state, CASE WHEN p.nth % 23 = 0 AND q.email NOT LIKE 'resident@%' THEN 'paused' ELSE 'active' END), 'due', 0, 0,
      CASE WHEN p.nth % 4 = 0 THEN 40000 END, p.first_at - interval '8 days',
      CASE WHEN e.state IS NOT NULL THEN ${now}::timestamptz - (4 + p.nth % 30) * interval '10 hours' END,
      coalesce(e.reason, ''), coalesce(e.code, ''),
      lower(concat_ws(' ', p.account_number, q.first_name, q.last_name, q.email))
    FROM (${paid(company)}) p
    JOIN person q ON q.company_id = ${company} AND q.id = p.person_id
    JOIN stored_method m ON m.company_id = ${company} AND m.person_id = p.person_id
    LEFT JOIN ${ENDS} ON e.n = (p.nth + 6) % 41 AND e.method IN (0, m.method) AND q.email NOT LIKE 'resident@%'`.execute(
    tx,
  )
  await sql`
    INSERT INTO autopay_agreement (company_id, autopay_id, at, address, device, mandate_version, terms)
    SELECT a.company_id, a.id, a.enrolled_at, m.mandate_address, m.mandate_device, 1, m.method_label || ', on each due date'
    FROM autopay a JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
    WHERE a.company_id = ${company}`.execute(tx)
  await sql`
    UPDATE stored_method m SET unusable = CASE a.end_reason WHEN 'not_authorized' THEN 'revoked' ELSE 'details' END, is_default = false
    FROM autopay a WHERE m.company_id = ${company} AND a.company_id = m.company_id AND a.method_id = m.id
      AND a.end_reason IN ('card_refused', 'bank_details', 'not_authorized')`.execute(tx)
}

/**
 * Adds an AutoPay charge for each AutoPay payment, with its bill. Adds another charge for the newest bill if it is
 * unpaid.
 */
async function charge(tx: Tx, company: CompanyId, now: Date): Promise<void> {
  await sql`
    INSERT INTO autopay_charge (company_id, autopay_id, kind, payable_id, bill, due_date, charge_on, state, notified_cents,
      amount_cents, first_on, order_id, attempt_id, reason, created_at, finished_at)
    SELECT DISTINCT ON (a.id, b.bill_number) a.company_id, a.id, a.kind, a.payable_id, b.bill_number, b.due_date, b.due_date,
      CASE o.status WHEN 0 THEN 'charging' WHEN 2 THEN 'failed' ELSE 'paid' END, o.bill_cents, o.bill_cents, b.due_date, o.id, t.id,
      coalesce(o.return_code, ''), o.created_at - interval '8 days', coalesce(o.paid_at, o.created_at)
    FROM autopay a
    JOIN utility_bill b ON b.company_id = a.company_id AND b.account_id = a.payable_id
    JOIN payment_order_line l ON l.company_id = a.company_id AND l.kind = a.kind AND l.payable_id = a.payable_id
    JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id AND o.location = 6
      AND o.created_at >= b.due_date AND o.created_at < b.due_date + interval '3 days'
    JOIN payment_attempt t ON t.company_id = o.company_id AND t.order_id = o.id
    WHERE a.company_id = ${company}
    ORDER BY a.id, b.bill_number, o.id DESC, t.attempt_no DESC`.execute(tx)
  await sql`
    INSERT INTO autopay_charge (company_id, autopay_id, kind, payable_id, bill, due_date, charge_on, state, notified_cents, reason,
      created_at, finished_at)
    SELECT a.company_id, a.id, a.kind, a.payable_id, b.bill_number, b.due_date, b.due_date,
      CASE WHEN a.cap_cents < b.amount_cents THEN 'refused' ELSE 'planned' END, b.amount_cents,
      CASE WHEN a.cap_cents < b.amount_cents THEN 'over_cap' ELSE '' END, ${now},
      CASE WHEN a.cap_cents < b.amount_cents THEN ${now}::timestamptz END
    FROM autopay a
    CROSS JOIN LATERAL (SELECT * FROM utility_bill b WHERE b.company_id = a.company_id AND b.account_id = a.payable_id
      ORDER BY b.bill_date DESC LIMIT 1) b
    WHERE a.company_id = ${company} AND a.state = 'active' AND b.due_date > ${now}::timestamptz AND b.amount_cents > 0
    ON CONFLICT DO NOTHING`.execute(tx)
}

async function writeHistory(tx: Tx, company: CompanyId): Promise<void> {
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT a.company_id, 'autopay', a.id, s.seq, s.from_state, s.to_state, s.event, s.at, s.kind,
      CASE s.kind WHEN 'citizen' THEN a.person_id END, CASE s.kind WHEN 'citizen' THEN p.first_name || ' ' || p.last_name ELSE 'AutoPay' END, ''
    FROM autopay a JOIN person p ON p.company_id = a.company_id AND p.id = a.person_id
    CROSS JOIN LATERAL (VALUES
      (1, '', 'active', 'enroll', a.enrolled_at, 'citizen'),
      (2, 'active', a.state, CASE a.state WHEN 'paused' THEN 'pause' WHEN 'ended' THEN 'end' ELSE 'remove' END,
        coalesce(a.ended_at, a.enrolled_at + interval '20 days'), CASE a.state WHEN 'removed' THEN 'system' ELSE 'citizen' END)
    ) AS s(seq, from_state, to_state, event, at, kind)
    WHERE a.company_id = ${company} AND (s.seq = 1 OR a.state <> 'active')`.execute(tx)
}
