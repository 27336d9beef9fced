import type pg from 'pg'
import { firstNames, lastNames } from '../database/names.ts'

/**
 * Statement that disables foreign key checks. Generated rows are consistent, and checking them takes longer than
 * writing them.
 */
const UNCHECKED = 'SET LOCAL session_replication_role = replica'

const MAPLE = `(SELECT id FROM company WHERE subdomain = 'maplegrove')`

/** Adds online companies, numbered from `first`: 'Town 1' at `town1`, 'Town 2' … */
export async function addCompanies(
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

/** Query that generates the payments of a benchmark. Each one is paid at the time of its creation. */
interface Payments {
  /** SELECT with company_id, id, reference, name, email, n and at. */
  query: string
  values: unknown[]
}

/** Writes payments with their lines, their two ledger transfers and all ledger sums. */
async function addPayments(client: pg.PoolClient, { query, values }: Payments): Promise<void> {
  await client.query(
    `INSERT INTO payment_order (company_id, id, status, type, reference, payer_name, payer_email, location, method,
       pay_type, bill_cents, fee_cents, total_cents, fee_quote, method_label, created_at, paid_at, search_text, net_bill_cents, net_fee_cents)
     SELECT p.company_id, p.id, 1, 'Utility', p.reference, p.name, p.email, (ARRAY[1, 3, 4, 6])[1 + p.n % 4], 1 + p.n % 2, 1, c.bill, 195, c.bill + 195, '{}',
       'Visa ending 4242', p.at, p.at, lower(concat_ws(' ', 'P' || p.id, p.reference, p.name, p.email)), c.bill, 195
     FROM (${query}) p, LATERAL (SELECT 5000 + p.n % 20000 AS bill) c`,
    values,
  )
  await client.query(`
    INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, settled_cents,
      gl_account, fee_program, title, details)
    SELECT o.company_id, o.id, 1, 'utility', a.id, o.bill_cents, o.fee_cents, 0, o.bill_cents, 'UTILITIES', 'convenience', 'Utility bill payment',
      jsonb_build_array(jsonb_build_object('name', 'account', 'value', o.reference))
    FROM payment_order o JOIN utility_account a ON a.company_id = o.company_id AND a.account_number = o.reference`)
  for (const [kind, credit, cents] of [
    ['capture.bill', 'payable_municipality', 'bill_cents'],
    ['capture.fee', 'fee_revenue', 'fee_cents'],
  ])
    await client.query(`
      INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
      SELECT company_id, id, id, 1, 'gateway_clearing', '${credit}', ${cents}, 'sandbox', 'pi_' || id, '${kind}', paid_at FROM payment_order`)
}

/** Fills tables of a migrated database. Creates their indexes after the rows, which is faster. */
async function fill(
  owner: pg.Pool,
  tables: readonly string[],
  write: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query(`BEGIN; ${UNCHECKED}`)
    const indexes = await dropIndexes(client, tables)
    await write(client)
    for (const index of indexes) await client.query(index)
    await client.query('COMMIT; ANALYZE; BEGIN')
    await client.query('INSERT INTO payment_day SELECT * FROM ledger_day')
    await client.query('SELECT recount_earnings(id), recount_requests(id) FROM company')
    await client.query('COMMIT')
    await client.query('VACUUM (ANALYZE)')
  } finally {
    client.release()
  }
}

const PAYMENT_TABLES = ['payment_order', 'payment_order_line', 'ledger_transfer']

/**
 * Fills a migrated database with generated payments of 200 companies, a fifth of them for Maple Grove. Each is a paid
 * order with its two ledger transfers, within the last two years.
 */
export async function fillWithPayments(owner: pg.Pool, payments: number, now: Date = new Date()): Promise<void> {
  const maple = Math.round(payments / 5)
  await fill(owner, PAYMENT_TABLES, async (client) => {
    await addCompanies(client, { first: 1001, count: 199, name: 'Town', subdomain: 'town' })
    await client.query(`
      INSERT INTO ledger_account (company_id, code, name, kind)
      SELECT c.id, a.code, a.name, a.kind FROM company c CROSS JOIN ledger_account a
      JOIN company maple ON maple.id = a.company_id AND maple.subdomain = 'maplegrove' WHERE c.id > 1000 ON CONFLICT DO NOTHING`)
    await client.query(`
      INSERT INTO utility_account (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)
      SELECT c.id, 'A' || n, 'Customer ' || n, '', '', n || ' Elm Street', 'Somewhere', 'PA', '17011', now() - interval '3 years'
      FROM company c CROSS JOIN generate_series(1, CASE WHEN c.subdomain = 'maplegrove' THEN 2000 ELSE 200 END) AS n`)
    await addPayments(client, {
      query: `SELECT n, 1000000 + n AS id, 'A' || 1 + n / 5 % 200 AS reference, 'payer' || n || '@example.com' AS email,
          $2::timestamptz - (n::float8 / $1) * interval '730 days' AS at,
          ($3::text[])[1 + n / 7 % cardinality($3::text[])] || ' ' || ($4::text[])[1 + n / 5 % cardinality($4::text[])] AS name,
          CASE WHEN n % 5 = 0 THEN ${MAPLE} ELSE 1001 + n % 199 END AS company_id
        FROM generate_series(1, $1::int) AS n`,
      values: [payments, now, [...firstNames], [...lastNames]],
    })
  })
  const { rows } = await owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment_order WHERE company_id = ${MAPLE}`,
  )
  if (Math.abs((rows[0]?.n ?? 0) - maple) > 1) throw new Error(`Maple Grove has ${rows[0]?.n} payments, not ${maple}`)
}

/** Size of a municipality that a benchmark fills by SQL. */
export interface CompanySize {
  accounts: number
  /** Number of payments over two years, each paid out within three days. One payer in twenty is named Whitfield. */
  payments: number
  requests: number
}

/** Sizes of Maple Grove's demo, and of a city of 300,000 people after some years. */
export const demoSize: CompanySize = { accounts: 440, payments: 6000, requests: 700 }
export const bigSize: CompanySize = { accounts: 100_000, payments: 1_000_000, requests: 300_000 }

/** Fills the only municipality of a migrated database with generated rows. All references point to existing rows. */
export async function fillCompany(owner: pg.Pool, { accounts, payments, requests }: CompanySize): Promise<void> {
  await fill(owner, [...PAYMENT_TABLES, 'payout_line', 'service_request', 'utility_account'], async (client) => {
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
    await addPayments(client, {
      query: `SELECT ${MAPLE} AS company_id, n, n AS id, (200000 + 1 + n % $2)::text AS reference, '' AS email,
          now() - (n::float8 / $1) * interval '730 days' AS at, CASE WHEN n % 20 = 0 THEN 'Ann Whitfield'
            ELSE ($3::text[])[1 + n % cardinality($3)] || ' ' || ($4::text[])[1 + n / 7 % cardinality($4)] END AS name
        FROM generate_series(1, $1::int) n`,
      values: [payments, accounts, [...firstNames], lastNames.filter((name) => name !== 'Whitfield')],
    })
    await client.query(`
      INSERT INTO payout (company_id, id, provider, provider_ref, trace, paid_at, arrives_on, gross_cents, cost_cents, net_cents, line_count, line_cents, search_text)
      SELECT company_id, row_number() OVER (ORDER BY day), 'sandbox', 'po_' || day, 'T' || day, day + interval '3 days', day + 4, cents, 0, cents, lines, cents, 'po_' || day
      FROM (SELECT company_id, paid_at::date AS day, sum(total_cents) AS cents, count(*) AS lines FROM payment_order
        WHERE paid_at < current_date - 2 GROUP BY 1, 2) d`)
    await client.query(`
      INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, movement_type, source_ref, amount_cents, cost_cents, at, ledger_cents, order_id)
      SELECT o.company_id, p.id, row_number() OVER (PARTITION BY p.id ORDER BY o.id), 'sandbox', 'txn_' || o.id, 'capture', 'pi_' || o.id, o.total_cents, 0, o.paid_at, o.total_cents, o.id
      FROM payment_order o JOIN payout p ON p.company_id = o.company_id AND p.provider_ref = 'po_' || o.paid_at::date`)
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO request_category (company_id, name, target_days) SELECT ${MAPLE}, 'Kind ' || n, 5 FROM generate_series(1, 12) n RETURNING id`,
    )
    await client.query(
      `INSERT INTO service_request (company_id, id, created_at, updated_at, status, closed_at, category_id, title, description, location, lat, lon, at, name, email, due_at)
       SELECT ${MAPLE}, (2019 + n % 6)::bigint * 10000000 + n, day, day, status, CASE WHEN status IN (2, 4, 5) THEN day + interval '3 days' END,
         ($1::bigint[])[1 + n % 12], 'Kind ' || n % 12, 'Request ' || md5(n::text) || ' about something in the street', n % 900 || ' Elm Street',
         40.2 + n % 1000 / 1e4, -76.9 + n / 1000 % 1000 / 1e4, point(n % 1000 * 11, n / 1000 % 1000 * 8), 'Person ' || n % 50000, 'p' || n % 50000 || '@example.org', day + interval '5 days'
       FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - (n::float8 / $2) * interval '730 days' AS day,
         CASE WHEN n % 100 < 97 THEN (ARRAY[2, 2, 2, 2, 4, 5])[1 + n % 6] ELSE (ARRAY[0, 1, 3])[1 + n % 3] END AS status) d`,
      [rows.map(({ id }) => Number(id)), requests],
    )
    await client.query(`UPDATE payment_settings SET reconciled_since = current_date - 700`)
  })
}

/**
 * Drops non-unique indexes, because rebuilding them after the inserts is faster. Returns the statements that rebuild
 * them.
 */
export async function dropIndexes(client: pg.PoolClient, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid = ANY ($1::regclass[]) AND NOT i.indisunique`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ definition }) => definition)
}

export interface PlatformSize {
  companies: number
  /** Residents in each company. Nine in ten have a linked utility account. */
  residents: number
  /** Scheduled items for each company, over eight weeks around today. */
  items: number
}

/**
 * Fills a migrated database with many companies and their residents, accounts and calendars, generated by the database.
 */
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
      [size.companies, [...lastNames]],
    )
    await client.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, service_address, city, state, zipcode, mobile_no, email_confirmed_at)
       SELECT 100000 + t, 'p' || t || '.' || n || '@example.org', 1, ($3::text[])[1 + (t * 7 + n) % cardinality($3::text[])], ($4::text[])[1 + (t + n * 13) % cardinality($4::text[])],
         (t + n * 3) % 900 + 1 || ' ' || ($4::text[])[1 + (t + n) % cardinality($4::text[])] || ' Street', 'Somewhere', 'PA', '17011',
         '717' || lpad((t * 100 + n)::text, 7, '0'), now()
       FROM generate_series(1, $1::int) AS t, generate_series(1, $2::int) AS n`,
      [size.companies, size.residents, [...firstNames], [...lastNames]],
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
      [size.companies, size.items, now],
    )
    await client.query('COMMIT')
    await client.query('VACUUM (ANALYZE)')
  } finally {
    client.release()
  }
}
