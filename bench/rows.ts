import type pg from 'pg'
import { firstNames, lastNames } from '../database/names.ts'

/** Rows that the database makes by itself refer to nothing that is not there: to look for each takes longer than to write it. */
const UNCHECKED = 'SET LOCAL session_replication_role = replica'

/** Adds online towns that are numbered from `first` on: 'Town 1' at `town1`, 'Town 2' … */
export async function addTowns(
  owner: Pick<pg.Pool, 'query'>,
  { first, count, name, subdomain }: { first: number; count: number; name: string; subdomain: string },
): Promise<void> {
  await owner.query(
    `INSERT INTO company (id, name, subdomain, address1, city, state, zipcode, phone_no, website_url, is_online)
     SELECT $1::int + n - 1, $3::text || ' ' || n, $4::text || n, n || ' Main Street', 'Somewhere', 'PA', '17011', '7175550100', 'www.town.example.org', 1
     FROM generate_series(1, $2::int) AS n`,
    [first, count, name, subdomain],
  )
}

/**
 * Fills a migrated database with payments of 200 towns, made by the database itself: a fifth of them are Maple Grove's.
 * Each is an order that was paid, with the two transfers of its ledger, over the last two years.
 */
export async function fillWithPayments(owner: pg.Pool, payments: number, now: Date = new Date()): Promise<void> {
  const maple = Math.round(payments / 5)
  const client = await owner.connect()
  try {
    await client.query(`BEGIN; ${UNCHECKED}`)
    const indexes = await dropIndexes(client, ['payment_order', 'payment_order_line', 'ledger_transfer'])
    await addTowns(client, { first: 1001, count: 199, name: 'Town', subdomain: 'town' })
    await client.query(`
      INSERT INTO ledger_account (company_id, code, name, kind)
      SELECT c.id, a.code, a.name, a.kind FROM company c CROSS JOIN ledger_account a
      JOIN company maple ON maple.id = a.company_id AND maple.subdomain = 'maplegrove' WHERE c.id > 1000 ON CONFLICT DO NOTHING`)
    await client.query(`
      INSERT INTO utility_account (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)
      SELECT c.id, 'A' || n, 'Customer ' || n, '', '', n || ' Elm Street', 'Somewhere', 'PA', '17011', now() - interval '3 years'
      FROM company c CROSS JOIN generate_series(1, CASE WHEN c.subdomain = 'maplegrove' THEN 2000 ELSE 200 END) AS n`)
    await client.query(
      `INSERT INTO payment_order (company_id, id, status, type, reference, payer_name, payer_email, location, method,
         pay_type, bill_cents, fee_cents, total_cents, fee_quote, means, created_at, paid_at, search_text, kept_bill_cents, kept_fee_cents)
       SELECT a.company_id, 1000000 + p.n, 1, 'Utility', a.account_number, p.name, 'payer' || p.n || '@example.com',
         (ARRAY[1, 3, 4, 6])[1 + p.n % 4], 1 + p.n % 2, 1, 5000 + p.n % 20000, 195, 5195 + p.n % 20000, '{}', 'Visa ending 4242', p.at, p.at,
         lower('P' || 1000000 + p.n || ' ' || a.account_number || ' ' || p.name || ' payer' || p.n || '@example.com'), 5000 + p.n % 20000, 195
       FROM (SELECT n, $2::timestamptz - (n::float8 / $1) * interval '730 days' AS at,
               ($3::text[])[1 + n / 7 % cardinality($3::text[])] || ' ' || ($4::text[])[1 + n / 5 % cardinality($4::text[])] AS name,
               CASE WHEN n % 5 = 0 THEN (SELECT id FROM company WHERE subdomain = 'maplegrove') ELSE 1001 + n % 199 END AS company
             FROM generate_series(1, $1::int) AS n) p
       JOIN utility_account a ON a.company_id = p.company AND a.account_number = 'A' || 1 + p.n / 5 % 200`,
      [payments, now, [...firstNames], [...lastNames]],
    )
    await client.query(`
      INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, settled_cents,
        gl_account, fee_program, title, facts)
      SELECT o.company_id, o.id, 1, 'utility', a.id, o.bill_cents, o.fee_cents, o.absorbed_fee_cents, o.bill_cents, 'UTILITIES', 'convenience', 'Utility bill payment',
        jsonb_build_array(jsonb_build_object('name', 'account', 'value', o.reference))
      FROM payment_order o JOIN utility_account a ON a.company_id = o.company_id AND a.account_number = o.reference`)
    for (const [kind, credit, cents] of [
      ['capture.bill', 'payable_municipality', 'bill_cents'],
      ['capture.fee', 'fee_revenue', 'fee_cents'],
    ])
      await client.query(`
        INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
        SELECT company_id, id, id, 1, 'gateway_clearing', '${credit}', ${cents}, 'bench', 'pi_' || id, '${kind}', paid_at FROM payment_order`)
    await client.query('INSERT INTO payment_day SELECT * FROM ledger_day')
    await client.query('SELECT recount_earnings(id) FROM company')
    for (const index of indexes) await client.query(index)
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

/** Takes away what can be made again when the rows are there, which is quicker. Answers the statements that make it. */
export async function dropIndexes(client: pg.PoolClient, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid = ANY ($1::regclass[]) AND NOT i.indisunique`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ definition }) => definition)
}

/** How large the platform is that a benchmark or a test of plans asks. */
export interface PlatformSize {
  towns: number
  /** Of each town; each has a utility account that is linked, every tenth resident none. */
  residents: number
  /** Scheduled items of each town, over eight weeks around now. */
  items: number
}

/** Fills a migrated database with many towns, their residents, accounts and calendars, made by the database itself. */
export async function fillPlatform(owner: pg.Pool, size: PlatformSize, now: Date = new Date()): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query(`BEGIN; ${UNCHECKED}`)
    await client.query(
      `INSERT INTO company (id, name, subdomain, address1, city, state, zipcode, phone_no, website_url, is_online, timezone_id)
       SELECT 100000 + n, ($2::text[])[1 + n % cardinality($2::text[])] || ' ' || (ARRAY['Falls', 'Township', 'Borough', 'Springs', 'Mills'])[1 + n % 5] || ' ' || n,
         'bench' || n, n || ' Main Street', ($2::text[])[1 + n % cardinality($2::text[])], 'PA', lpad((n % 90000 + 10000)::text, 5, '0'),
         '717' || lpad(n::text, 7, '0'), 'www.town.example.org', (n % 20 <> 0)::int, 1 + n % 8
       FROM generate_series(1, $1::int) AS n`,
      [size.towns, [...lastNames]],
    )
    await client.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, service_address, city, state, zipcode, mobile_no, email_confirmed_at)
       SELECT 100000 + t, 'p' || t || '.' || n || '@example.org', 1, ($3::text[])[1 + (t * 7 + n) % cardinality($3::text[])], ($4::text[])[1 + (t + n * 13) % cardinality($4::text[])],
         (t + n * 3) % 900 + 1 || ' ' || ($4::text[])[1 + (t + n) % cardinality($4::text[])] || ' Street', 'Somewhere', 'PA', '17011',
         '717' || lpad((t * 100 + n)::text, 7, '0'), now()
       FROM generate_series(1, $1::int) AS t, generate_series(1, $2::int) AS n`,
      [size.towns, size.residents, [...firstNames], [...lastNames]],
    )
    await client.query(`
      INSERT INTO utility_account (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode)
      SELECT company_id, 'A' || id, first_name || ' ' || last_name, email, mobile_no, service_address, city, state, zipcode
      FROM person WHERE company_id > 100000 AND id % 10 <> 0`)
    await client.query(`
      INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
      SELECT company_id, substr(account_number, 2)::bigint, id, now() FROM utility_account WHERE company_id > 100000`)
    await client.query(
      `INSERT INTO scheduled_item (company_id, event_type_id, title, description, starts_at, ends_at, status)
       SELECT 100000 + t, 1 + (t + n) % 4, 'Item ' || n || ' of town ' || t, '', at, at + interval '2 hours',
         (ARRAY['not_started', 'in_progress', 'completed', NULL])[1 + n % 4]
       FROM generate_series(1, $1::int) AS t, generate_series(1, $2::int) AS n,
         LATERAL (SELECT date_trunc('hour', $3::timestamptz) - interval '28 days' + (n * 56.0 / $2) * interval '1 day' + (t % 9) * interval '1 hour' AS at) s`,
      [size.towns, size.items, now],
    )
    await client.query('COMMIT')
    await client.query('VACUUM (ANALYZE)')
  } finally {
    client.release()
  }
}
