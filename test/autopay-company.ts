import type pg from 'pg'
import { type Clock, systemClock } from '../server/clock.ts'

/** Time at which all charges happen: a Friday morning in Pennsylvania. */
export const CHARGED_AT = '2026-11-20T15:00:00.000Z'
export const BILL_CENTS = 100_00

/** Returns a clock that starts at `CHARGED_AT`. */
export function fromThatMorning(): Clock {
  const startedAt = systemClock.now().getTime()
  return { now: () => new Date(Date.parse(CHARGED_AT) + systemClock.now().getTime() - startedAt) }
}

/**
 * Creates residents who are enrolled in AutoPay. Each has an account, a bill that AutoPay charges on the day of
 * `CHARGED_AT`, and one of the sandbox's published test cards.
 */
export async function enrollMany(owner: pg.Pool, company: number, count: number): Promise<void> {
  await owner.query(`
    WITH n AS (SELECT n FROM generate_series(1, ${count}) n),
    account AS (
      INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
      SELECT ${company}, 'E' || n, 'Resident ' || n, n || ' Elm Street', 'Maple Grove', 'PA', '17011' FROM n RETURNING id, account_number
    ), bill AS (
      INSERT INTO utility_bill (company_id, account_id, bill_number, bill_date, due_date, period_start, period_end, lines, amount_cents)
      SELECT ${company}, id, 'B' || account_number, '2026-11-01', '2026-11-20', '2026-10-01', '2026-10-31', '[]', ${BILL_CENTS} FROM account
    ), payer AS (
      INSERT INTO person (company_id, email, password_hash, role_id, first_name, last_name)
      SELECT ${company}, 'e' || n || '@mail.example', '', 1, 'Resident', 'Number ' || n FROM n RETURNING id, email
    ), link AS (
      INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
      SELECT ${company}, p.id, a.id, now() FROM payer p JOIN account a ON 'e' || substr(a.account_number, 2) || '@mail.example' = p.email
      RETURNING person_id, account_id
    ), kept AS (
      INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label,
        mandate_text, mandate_at, mandate_address, mandate_device, created_at)
      SELECT ${company}, id, 1, 'sandbox', '', 'pm_card_visa:' || id, 'Visa ending 4242', 'I agree.', now(), '127.0.0.1', '', now()
      FROM payer RETURNING id, person_id
    ), enrolled AS (
      INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before, day_of_month, enrolled_at, search_text)
      SELECT ${company}, l.person_id, 'utility', l.account_id, a.account_number, k.id, 'active', 'due', 0, 0, '2026-10-01', lower(a.account_number)
      FROM link l JOIN account a ON a.id = l.account_id JOIN kept k ON k.person_id = l.person_id RETURNING id, payable_id, reference
    )
    INSERT INTO autopay_charge (company_id, autopay_id, kind, payable_id, bill, due_date, charge_on, state, notified_cents, created_at)
    SELECT ${company}, id, 'utility', payable_id, 'B' || reference, '2026-11-20', '2026-11-20', 'planned', ${BILL_CENTS}, '2026-11-01'
    FROM enrolled`)
  await owner.query('ANALYZE')
}
