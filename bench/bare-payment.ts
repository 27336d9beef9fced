import type pg from 'pg'

/** Tables that a guest's payment writes to. */
export const WRITTEN = [
  ...['idempotency_key', 'payment_order', 'payment_order_line', 'payment_attempt', 'status_history', 'audit_event'],
  ...['audit_unsealed', 'ledger_transfer', 'payment_day', 'remittance', 'email_outbox'],
] as const

/** Returns the SQL that inserts an audit log entry and marks the entry as not yet sealed. */
const audited = (what: string) => `deed AS (
       INSERT INTO audit_event (company_id, at, actor_kind, action, subject_kind, subject) VALUES ($1, now(), ${what})
       RETURNING company_id, id
     ), unsealed AS (
       INSERT INTO audit_unsealed (company, event_id) SELECT company_id, id FROM deed
     )`

/**
 * Writes the rows of a guest's payment in the fewest statements. It uses three transactions of one statement each,
 * because data must be committed before the provider call and after it. It reads, locks and checks no data. The values
 * are invented.
 */
export async function payBare(client: pg.Client, company: number, n: number): Promise<void> {
  const within = async (text: string, values: unknown[]) => {
    await client.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
    await client.query(text, values)
    await client.query('COMMIT')
  }
  await within(
    `WITH keyed AS (
       INSERT INTO idempotency_key (company_id, call, key, body_hash, lease_until, created_at)
       VALUES ($1, 'pay/guest/bill', $2::text, '\\x00', now(), now())
     ), payment AS (
       INSERT INTO payment_order (company_id, id, status, reference, type, payer_name, payer_email, location, method, pay_type, bill_cents,
         fee_cents, total_cents, fee_quote, created_at, search_text)
       VALUES ($1, $3, 0, $4::text, 'Utility', 'Ada Quill', 'ada@example.com', 4, 1, 1, 10000, 305, 10305, '{}', now(), 'p' || $4::text)
     ), line AS (
       INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, gl_account,
         fee_program, title, details)
       SELECT $1, $3, 1, 'utility', a.id, 10000, 305, 0, 'UTILITIES', 'convenience', 'Utility bill payment', '[]'
       FROM utility_account a WHERE a.company_id = $1 AND a.account_number = $4::text
     ), history AS (
       INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name)
       VALUES ($1, 'order', $3, 1, '', '0', 'created', now(), 'guest', 'Guest')
     ), ${audited("'guest', 'payment.created', 'payment', $4")}
     INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account, created_at, checked_at)
     VALUES ($1, $3, 1, $2::text, 0, 'new', 'sandbox', 'acct', now(), now())`,
    [company, `bare-payment-${n}`, 1_000_000 + n, `6${n}`],
  )
  await within(
    `UPDATE payment_attempt SET step = 'submitted', intent_id = $2, submitted_at = now() WHERE company_id = $1 AND idempotency_key = $3`,
    [company, `pi_${n}`, `bare-payment-${n}`],
  )
  await within(
    `WITH attempt AS (
       UPDATE payment_attempt SET step = 'succeeded', status = 1, checked_at = now() WHERE company_id = $1 AND idempotency_key = $2::text
     ), payment AS (
       UPDATE payment_order SET status = 1, method_label = 'Visa ending 4242', paid_at = now(), net_bill_cents = 10000, net_fee_cents = 305
       WHERE company_id = $1 AND id = $3
     ), line AS (
       UPDATE payment_order_line SET settled_cents = 10000 WHERE company_id = $1 AND order_id = $3
     ), moved AS (
       INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
       SELECT $1, $3, $3, 1, 'gateway_clearing', leg.credit, leg.cents, 'sandbox', $4::text, leg.kind, now()
       FROM (VALUES ('capture.bill', 'payable_municipality', 10000), ('capture.fee', 'fee_revenue', 305)) AS leg(kind, credit, cents)
     ), day AS (
       INSERT INTO payment_day AS d VALUES ($1, now()::date, now()::date, 'capture', 1, 4, false, 1, 10000, 305, 0, 'convenience', 'single', 'sandbox')
       ON CONFLICT (company_id, made_on, moved_on, movement_type, method, location, absorbs, program, mode, provider) DO UPDATE SET payments = d.payments + 1,
         bill_cents = d.bill_cents + 10000, fee_cents = d.fee_cents + 305
     ), told AS (
       INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
       SELECT $1, a.id, $3, 1, 'sandbox', $4::text, 'credit', 10000, now() FROM utility_account a WHERE a.company_id = $1 AND a.account_number = $5::text
     ), history AS (
       INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name)
       VALUES ($1, 'order', $3, 2, '0', '1', 'captured', now(), 'system', 'Mainstreet')
     ), ${audited("'system', 'payment.captured', 'payment', $5")}, mail AS (
       INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, created_at)
       VALUES ($1, 'ada@example.com', 'Receipt', repeat('text ', 80), repeat('<p>text</p> ', 400), now())
     )
     UPDATE idempotency_key SET stored_response = '0123456789abcdef.sealed', lease_until = now() WHERE company_id = $1 AND call = 'pay/guest/bill' AND key = $2::text`,
    [company, `bare-payment-${n}`, 1_000_000 + n, `pi_${n}`, `6${n}`],
  )
}
