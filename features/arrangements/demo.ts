import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { defaultTerms } from './rules.ts'

/** Adds arrangements from about the last half year in every state, on accounts with past or current debt. */
export const demo: DemoPart = {
  company: async ({ db, clock }, { company: { companyName } }, { company }) =>
    tenancyOn(db.app)(company, async (tx) => {
      const now = clock.now()
      await setRules(tx, company, companyName, now)
      await makePlans(tx, company, now)
      await writeHistory(tx, company)
    }),
}

/** Sets different rules for the two companies, depending on whether the company id is even. */
async function setRules(tx: Tx, company: CompanyId, companyName: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO arrangement_settings (company_id, by_residents, max_installments, max_days, min_first_percent, min_cents, grace_days)
    VALUES (${company}, true, ${company % 2 === 0 ? 4 : 6}, 190, ${company % 2 === 0 ? 25 : 10}, 5000, 5)`.execute(tx)
  await sql`
    INSERT INTO arrangement_terms (company_id, version, text, since)
    VALUES (${company}, 1, ${defaultTerms(companyName)}, ${now}::timestamptz - interval '400 days')`.execute(tx)
}

/**
 * Adds arrangements. Open ones belong to accounts with enough debt, closed ones to accounts without debt. The first
 * installment is in the future if the arrangement is on track, and three weeks ago if it is in default.
 */
async function makePlans(tx: Tx, company: CompanyId, now: Date): Promise<void> {
  await sql`
    WITH billed AS MATERIALIZED (
      SELECT account_id, sum(amount_cents - paid_elsewhere_cents) AS cents, sum(paid_elsewhere_cents) AS elsewhere
      FROM utility_bill WHERE company_id = ${company} GROUP BY 1
    ), remitted AS MATERIALIZED (
      SELECT account_id, sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) AS cents
      FROM remittance WHERE company_id = ${company} GROUP BY 1
    ), settled AS MATERIALIZED (
      SELECT payable_id, sum(settled_cents) AS cents FROM payment_order_line WHERE company_id = ${company} AND kind = 'utility' GROUP BY 1
    ), owing AS (
      SELECT a.id, a.account_number, a.customer_name, b.cents - coalesce(m.cents, 0) AS owed, coalesce(p.cents, 0) + b.elsewhere AS ever,
        (SELECT l.person_id FROM linked_account l JOIN person q ON q.company_id = l.company_id AND q.id = l.person_id AND q.email NOT LIKE 'resident@%'
         WHERE l.company_id = a.company_id AND l.account_id = a.id ORDER BY l.person_id LIMIT 1) AS person_id
      FROM utility_account a JOIN billed b ON b.account_id = a.id
      LEFT JOIN remitted m ON m.account_id = a.id LEFT JOIN settled p ON p.payable_id = a.id
      WHERE a.company_id = ${company}
        AND a.id NOT IN (SELECT l.account_id FROM linked_account l JOIN person q ON q.company_id = l.company_id AND q.id = l.person_id
          WHERE l.company_id = ${company} AND q.email LIKE 'resident@%')
        AND a.id NOT IN (SELECT u.payable_id FROM payment_order o JOIN payment_order_line u ON u.company_id = o.company_id AND u.order_id = o.id
          WHERE o.company_id = ${company} AND o.status = 0 AND u.kind = 'utility')
    ), ranked AS (
      SELECT *, owed >= 6000 AS owes, row_number() OVER (PARTITION BY owed >= 6000 ORDER BY id DESC) AS n FROM owing WHERE owed >= 6000 OR owed <= 0
    ), planned AS (
      SELECT r.*, CASE WHEN NOT owes THEN CASE WHEN n % 4 = 0 THEN 'ended' ELSE 'completed' END
          ELSE CASE n % 6 WHEN 0 THEN 'proposed' WHEN 1 THEN 'defaulted' WHEN 5 THEN 'ended' ELSE 'active' END END AS state,
        CASE WHEN owes THEN owed ELSE 12000 + id % 90 * 100 END AS total, 3 + id % 2 AS parts
      FROM ranked r WHERE n <= 24
    ), made AS (
      SELECT p.*, CASE state WHEN 'proposed' THEN 2 WHEN 'active' THEN 9 WHEN 'defaulted' THEN 40 ELSE 120 + id % 40 END AS days FROM planned p
    ), kept AS (
      INSERT INTO arrangement (company_id, kind, payable_id, reference, payer_name, state, total_cents, installments, grace_days,
        paid_before_cents, made_by, made_at, last_due, person_id, agreed_at, agreed_version, agreed_by, agreed_address, agreed_device, closed_at)
      SELECT ${company}::int, 'utility', id, account_number, customer_name, state, total, parts, 5, ever,
        CASE id % 3 WHEN 0 THEN 'Dana Ruiz' ELSE customer_name END, ${now}::timestamptz - days * interval '1 day',
        (${now}::timestamptz - days * interval '1 day' + interval '19 days' + (parts - 1) * interval '1 month')::date, person_id,
        CASE WHEN state <> 'proposed' THEN ${now}::timestamptz - days * interval '1 day' + interval '2 hours' END,
        CASE WHEN state <> 'proposed' THEN 1 END, CASE WHEN state <> 'proposed' THEN customer_name ELSE '' END,
        CASE WHEN state <> 'proposed' THEN '203.0.113.' || 1 + id % 250 ELSE '' END, CASE WHEN state <> 'proposed' THEN 'Safari on an iPhone' ELSE '' END,
        CASE WHEN state IN ('completed', 'ended') THEN ${now}::timestamptz - (days - 95) * interval '1 day' END
      FROM made RETURNING company_id, id, total_cents, installments, made_at
    )
    INSERT INTO arrangement_installment (company_id, arrangement_id, no, due_on, cents)
    SELECT k.company_id, k.id, n, (k.made_at + interval '19 days' + (n - 1) * interval '1 month')::date,
      CASE WHEN n < k.installments THEN k.total_cents / k.installments ELSE k.total_cents - (k.total_cents / k.installments) * (k.installments - 1) END
    FROM kept k, LATERAL generate_series(1, k.installments) AS n`.execute(tx)
}

async function writeHistory(tx: Tx, company: CompanyId): Promise<void> {
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT a.company_id, 'arrangement', a.id, row_number() OVER (PARTITION BY a.id ORDER BY s.at), s.from_state, s.to_state, s.event, s.at, s.kind,
      CASE s.kind WHEN 'citizen' THEN a.person_id END, s.name, s.reason
    FROM arrangement a CROSS JOIN LATERAL (VALUES
      (true, '', 'proposed', 'propose', a.made_at, 'municipality', 'Dana Ruiz', ''),
      (a.agreed_at IS NOT NULL, 'proposed', 'active', 'agree', a.agreed_at, 'citizen', a.payer_name, ''),
      (a.state = 'defaulted', 'active', 'defaulted', 'default', a.made_at + interval '26 days', 'system', 'Payment arrangements', ''),
      (a.state = 'completed', 'active', 'completed', 'complete', a.closed_at, 'system', 'Payment arrangements', ''),
      (a.state = 'ended', 'active', 'ended', 'end', a.closed_at, 'municipality', 'Dana Ruiz', 'The account was closed')
    ) AS s(happened, from_state, to_state, event, at, kind, name, reason)
    WHERE a.company_id = ${company} AND s.happened`.execute(tx)
}
