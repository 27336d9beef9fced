import type pg from 'pg'

/**
 * Fills a migrated database with payments of 200 towns, made by the database itself: a fifth of them are Maple Grove's.
 * Each is an order that was paid, with the two transfers of its ledger, over the last two years.
 */
export async function fillWithPayments(owner: pg.Pool, payments: number, now: Date = new Date()): Promise<void> {
  const maple = Math.round(payments / 5)
  const client = await owner.connect()
  try {
    await client.query('BEGIN')
    await client.query(`
      INSERT INTO company SELECT (jsonb_populate_record(c, jsonb_build_object('id', 1000 + n, 'guid', gen_random_uuid(), 'name', 'Town ' || n, 'subdomain', 'town' || n))).*
      FROM company c CROSS JOIN generate_series(1, 199) AS n WHERE c.subdomain = 'maplegrove'`)
    await client.query(`
      INSERT INTO ledger_account (company_id, code, name, kind)
      SELECT c.id, a.code, a.name, a.kind FROM company c CROSS JOIN ledger_account a
      JOIN company maple ON maple.id = a.company_id AND maple.subdomain = 'maplegrove' WHERE c.id > 1000 ON CONFLICT DO NOTHING`)
    await client.query(`
      INSERT INTO utility_account (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)
      SELECT c.id, 'A' || n, 'Customer ' || n, '', '', n || ' Elm Street', 'Somewhere', 'PA', '17011', now() - interval '3 years'
      FROM company c CROSS JOIN generate_series(1, CASE WHEN c.subdomain = 'maplegrove' THEN 2000 ELSE 200 END) AS n`)
    await client.query(
      `INSERT INTO payment_order (company_id, id, status, kind, account_id, account_number, payer_name, payer_email, location, method,
         pay_type, bill_cents, fee_cents, total_cents, fee_quote, means, created_at, paid_at, search_text)
       SELECT a.company_id, 1000000 + p.n, 1, 'utility', a.id, a.account_number, a.customer_name, 'payer' || p.n || '@example.com', 4, 1, 1,
         5000 + p.n % 20000, 195, 5195 + p.n % 20000, '{}', 'Visa ending 4242', p.at, p.at,
         lower('P' || 1000000 + p.n || ' ' || a.account_number || ' ' || a.customer_name || ' payer' || p.n || '@example.com')
       FROM (SELECT n, $2::timestamptz - (n::float8 / $1) * interval '730 days' AS at,
               CASE WHEN n % 5 = 0 THEN (SELECT id FROM company WHERE subdomain = 'maplegrove') ELSE 1001 + n % 199 END AS company
             FROM generate_series(1, $1::int) AS n) p
       JOIN utility_account a ON a.company_id = p.company AND a.account_number = 'A' || 1 + p.n / 5 % 200`,
      [payments, now],
    )
    for (const [kind, credit, cents] of [
      ['capture.bill', 'payable_municipality', 'bill_cents'],
      ['capture.fee', 'fee_revenue', 'fee_cents'],
    ])
      await client.query(`
        INSERT INTO ledger_transfer (company_id, entry_id, order_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
        SELECT company_id, id, id, 'gateway_clearing', '${credit}', ${cents}, 'bench', 'pi_' || id, '${kind}', paid_at FROM payment_order`)
    await client.query('COMMIT')
    const { rows } = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM payment_order o JOIN company c ON c.id = o.company_id WHERE c.subdomain = 'maplegrove'`,
    )
    if (Math.abs((rows[0]?.n ?? 0) - maple) > 1) throw new Error(`Maple Grove has ${rows[0]?.n} payments, not ${maple}`)
    await client.query('VACUUM (ANALYZE)')
  } finally {
    client.release()
  }
}
