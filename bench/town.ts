import type pg from 'pg'
import { firstNames, lastNames } from '../database/names.ts'
import { dropIndexes } from './rows.ts'

/** Size of a municipality that a benchmark fills by SQL. */
export interface TownSize {
  accounts: number
  /** Paid over two years, one in twenty by a Whitfield, each paid out within three days. */
  payments: number
  requests: number
}

/** Of the size of Maple Grove's demo, and of a city of 300,000 people after some years. */
export const demoSize: TownSize = { accounts: 440, payments: 6000, requests: 700 }
export const bigSize: TownSize = { accounts: 100_000, payments: 1_000_000, requests: 300_000 }

const TABLES = [
  'payment_order',
  'payment_order_line',
  'ledger_transfer',
  'payout_line',
  'service_request',
  'utility_account',
]
const MAPLE = `(SELECT id FROM company WHERE subdomain = 'maplegrove')`

/** Fills the only municipality of a migrated database. What refers to something refers to what is there. */
export async function fillTown(owner: pg.Pool, { accounts, payments, requests }: TownSize): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    const indexes = await dropIndexes(client, TABLES)
    await client.query(
      `INSERT INTO utility_account (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)
       SELECT ${MAPLE}, (200000 + n)::text, ($2::text[])[1 + n % cardinality($2)] || ' ' || ($3::text[])[1 + n / 7 % cardinality($3)], '', '',
         n || ' Elm Street', 'Maple Grove', 'PA', '17011', now() - interval '3 years' FROM generate_series(1, $1::int) n`,
      [accounts, [...firstNames], [...lastNames]],
    )
    await client.query(
      `INSERT INTO utility_bill (company_id, account_id, bill_number, bill_date, due_date, period_start, period_end, amount_cents, lines, imported_at)
       SELECT company_id, id, 'B' || id, current_date - 20, current_date + 10, current_date - 50, current_date - 21, 8000, '[]', now() FROM utility_account`,
    )
    await client.query(
      `INSERT INTO payment_order (company_id, id, status, type, reference, payer_name, payer_email, location, method,
         pay_type, bill_cents, fee_cents, total_cents, fee_quote, means, created_at, paid_at, search_text, kept_bill_cents, kept_fee_cents)
       SELECT ${MAPLE}, n, 1, 'Utility', a.number, p.name, '', (ARRAY[1, 3, 4, 6])[1 + n % 4], 1 + n % 2, 1, c.bill, 195, c.bill + 195, '{}',
         'Visa ending 4242', p.at, p.at, lower('P' || n || ' ' || a.number || ' ' || p.name), c.bill, 195
       FROM generate_series(1, $1::int) n,
         LATERAL (SELECT now() - (n::float8 / $1) * interval '730 days' AS at, CASE WHEN n % 20 = 0 THEN 'Ann Whitfield'
           ELSE ($3::text[])[1 + n % cardinality($3)] || ' ' || ($4::text[])[1 + n / 7 % cardinality($4)] END AS name) p,
         LATERAL (SELECT (200000 + 1 + n % $2)::text AS number) a, LATERAL (SELECT 5000 + n % 20000 AS bill) c`,
      [payments, accounts, [...firstNames], lastNames.filter((name) => name !== 'Whitfield')],
    )
    await client.query(`
      INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, settled_cents,
        gl_account, fee_program, title, facts)
      SELECT o.company_id, o.id, 1, 'utility', a.id, o.bill_cents, o.fee_cents, 0, o.bill_cents, 'UTILITIES', 'convenience', 'Utility bill payment', '[]'
      FROM payment_order o JOIN utility_account a ON a.company_id = o.company_id AND a.account_number = o.reference`)
    for (const [kind, credit, cents] of [
      ['capture.bill', 'payable_municipality', 'bill_cents'],
      ['capture.fee', 'fee_revenue', 'fee_cents'],
    ])
      await client.query(`
        INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
        SELECT company_id, id, id, 1, 'gateway_clearing', '${credit}', ${cents}, 'sandbox', 'pi_' || id, '${kind}', paid_at FROM payment_order`)
    await client.query(`
      INSERT INTO payout (company_id, id, provider, provider_ref, trace, paid_at, arrives_on, gross_cents, cost_cents, net_cents, line_count, line_cents, search_text)
      SELECT company_id, row_number() OVER (ORDER BY day), 'sandbox', 'po_' || day, 'T' || day, day + interval '3 days', day + 4, cents, 0, cents, lines, cents, 'po_' || day
      FROM (SELECT company_id, paid_at::date AS day, sum(total_cents) AS cents, count(*) AS lines FROM payment_order
        WHERE paid_at < current_date - 2 GROUP BY 1, 2) d`)
    await client.query(`
      INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, way, source_ref, amount_cents, cost_cents, at, ledger_cents, order_id)
      SELECT o.company_id, p.id, row_number() OVER (PARTITION BY p.id ORDER BY o.id), 'sandbox', 'txn_' || o.id, 'capture', 'pi_' || o.id, o.total_cents, 0, o.paid_at, o.total_cents, o.id
      FROM payment_order o JOIN payout p ON p.company_id = o.company_id AND p.provider_ref = 'po_' || o.paid_at::date`)
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO request_category (company_id, name, target_days) SELECT ${MAPLE}, 'Kind ' || n, 5 FROM generate_series(1, 12) n RETURNING id`,
    )
    await client.query(
      `INSERT INTO service_request (company_id, id, created_at, updated_at, status, closed_at, category_id, title, description, place, lat, lon, at, name, email, due_at)
       SELECT ${MAPLE}, (2019 + n % 6)::bigint * 10000000 + n, day, day, status, CASE WHEN status IN (2, 4, 5) THEN day + interval '3 days' END,
         ($1::bigint[])[1 + n % 12], 'Kind ' || n % 12, 'Request ' || md5(n::text) || ' about something in the street', n % 900 || ' Elm Street',
         40.2 + n % 1000 / 1e4, -76.9 + n / 1000 % 1000 / 1e4, point(n % 1000 * 11, n / 1000 % 1000 * 8), 'Person ' || n % 50000, 'p' || n % 50000 || '@example.org', day + interval '5 days'
       FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - (n::float8 / $2) * interval '730 days' AS day,
         CASE WHEN n % 100 < 97 THEN (ARRAY[2, 2, 2, 2, 4, 5])[1 + n % 6] ELSE (ARRAY[0, 1, 3])[1 + n % 3] END AS status) d`,
      [rows.map(({ id }) => Number(id)), requests],
    )
    for (const index of indexes) await client.query(index)
    await client.query('INSERT INTO payment_day SELECT * FROM ledger_day')
    await client.query('SELECT recount_earnings(id) FROM company')
    await client.query(`UPDATE payment_settings SET reconciled_since = current_date - 700`)
    await client.query('COMMIT')
    await client.query('VACUUM (ANALYZE)')
  } finally {
    client.release()
  }
}
