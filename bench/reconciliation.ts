import { strict as assert } from 'node:assert'
import type pg from 'pg'
import { addDays } from '../shared/dates.ts'
import { addTestPlatformStaff } from '../test/company.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { inTurns, type Row, timeRow } from './measure.ts'
import { openPortal, type BenchEnvironment, plain } from './environment.ts'
import { addCompanies } from './rows.ts'

const PAYMENTS = 50_000
const COMPANY_COUNT = 2000
const ZONE = 'America/New_York'

/**
 * Times the reconciliation of a company's day with 50,000 paid-out payments: the checks and the page of the day.
 * Compares both with minimal SQL statements that find the same data. Also times a year of fees of 2,000 companies, read
 * from daily totals.
 */
export async function reconciliation(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const { owner } = database
  const { rows: companies } = await owner.query<{ id: number; today: string }>(
    `SELECT id, (now() AT TIME ZONE '${ZONE}')::date::text AS today FROM company WHERE subdomain = 'maplegrove'`,
  )
  const { id: company = 0, today = '' } = companies[0] ?? {}
  const day = addDays(today, -6)
  await fillDay(owner, company, day)
  await fillYear(owner, today)
  await addTestPlatformStaff({ db: database.pools, clock: { now: () => new Date() } })
  const portal = await openPortal(database, environment.folder)
  const [client, all] = [await plain(database), await plain(database, 'platform')]
  const sign = async (path: string, body: object, headers?: Record<string, string>) => ({
    ...headers,
    authorization: `Bearer ${(await portal.post<{ token: string }>(path, { ...body, password: DEMO_PASSWORD }, headers)).token}`,
  })
  const adminHeaders = await sign('login', { companyId: company, email: 'admin@maplegrove.example' })
  const admin = await sign('admin/login', { email: 'super@mainstreet.example' }, { host: 'admin.localhost' })
  const bare = async (text: string, values: unknown[]) => {
    await client.query('BEGIN')
    await client.query(`SET LOCAL app.company_id = '${company}'`)
    const { rows } = await client.query<Record<string, number>>(text, values)
    await client.query('COMMIT')
    return rows
  }
  const exceptionList = await portal.post<{ opened: number }>('muni/check/reconciliation', {}, adminHeaders)
  assert.deepEqual([exceptionList.opened, Number((await bare(DIFFERENCES, [company, day]))[0]?.['n'])], [2, 2])
  const report = await portal.post<{ figures: { links: { key: string; oneCents: number }[] } }>(
    'muni/return/reconciliation/day',
    { day },
    adminHeaders,
  )
  const [sums] = await bare(DAY, [company, day])
  assert.equal(report.figures.links.find(({ key }) => key === 'payments')?.oneCents, Number(sums?.['payments']))
  const year = { filters: { fromDate: addDays(today, -364), toDate: today, countedBy: 'money' } }
  const rows = [
    timeRow(
      'looking through a day of 50,000 payments and its payout',
      await inTurns(
        7,
        () => portal.post('muni/check/reconciliation', {}, adminHeaders),
        () => bare(DIFFERENCES, [company, day]),
      ),
      2,
    ),
    timeRow(
      'a day of 50,000 payments from the bill to the bank, with every account',
      await inTurns(
        7,
        () => portal.post('muni/return/reconciliation/day', { day }, adminHeaders),
        () => bare(DAY, [company, day]),
      ),
      2,
    ),
    timeRow(
      'convenience fees of a year of 2,000 towns, first page, count and totals',
      await inTurns(
        7,
        () => portal.post('admin/return/fee/report', year, admin),
        () => all.query(YEAR, [year.filters.fromDate, year.filters.toDate]),
      ),
      2,
    ),
  ]
  await client.end()
  await all.end()
  await portal.close()
  await database.drop()
  return rows
}

/**
 * Query that finds a day's differences between the ledger and the provider, and between the ledger and the billing
 * system.
 */
const DIFFERENCES = `
  WITH ledger AS (
    SELECT source_ref, split_part(kind, '.', 1) AS movement_type, sum(CASE debit_account WHEN 'gateway_clearing' THEN amount_cents ELSE -amount_cents END) AS cents
    FROM ledger_transfer WHERE company_id = $1 AND at >= $2::date AND 'gateway_clearing' IN (debit_account, credit_account) AND order_id IS NOT NULL GROUP BY 1, 2),
  billed AS (
    SELECT t.order_id, sum(t.amount_cents) AS cents FROM ledger_transfer t WHERE t.company_id = $1 AND t.at >= $2::date AND t.credit_account = 'payable_municipality' GROUP BY 1),
  told AS (SELECT order_id, sum(amount_cents) AS cents FROM remittance WHERE company_id = $1 AND at >= $2::date GROUP BY 1)
  SELECT (SELECT count(*) FROM ledger l FULL JOIN (SELECT * FROM payout_line WHERE company_id = $1) p ON p.source_ref = l.source_ref AND p.movement_type = l.movement_type
      WHERE coalesce(l.cents, 0) <> coalesce(p.amount_cents, 0))
    + (SELECT count(*) FROM billed FULL JOIN told USING (order_id) WHERE coalesce(billed.cents, 0) <> coalesce(told.cents, 0)) AS n`

/** Query for the totals of a day: payments, ledger, payout, and change of each account. */
const DAY = `
  WITH moved AS MATERIALIZED (SELECT * FROM ledger_transfer WHERE company_id = $1 AND at >= $2::date::timestamp AT TIME ZONE '${ZONE}' AND at < ($2::date + 1)::timestamp AT TIME ZONE '${ZONE}')
  SELECT (SELECT sum(bill_cents + fee_cents) FROM payment_day WHERE company_id = $1 AND moved_on = $2::date)::float8 AS payments,
    (SELECT sum(amount_cents) FROM moved WHERE credit_account IN ('payable_municipality', 'fee_revenue')) AS ledger,
    (SELECT sum(l.amount_cents) FROM (SELECT source_ref, split_part(kind, '.', 1) AS movement_type FROM moved WHERE debit_account = 'gateway_clearing' GROUP BY 1, 2) m
      JOIN payout_line l ON l.company_id = $1 AND l.source_ref = m.source_ref AND l.movement_type = m.movement_type) AS paid_out,
    (SELECT sum(amount_cents) FROM remittance WHERE company_id = $1 AND at >= $2::date::timestamp AT TIME ZONE '${ZONE}' AND at < ($2::date + 1)::timestamp AT TIME ZONE '${ZONE}') AS told,
    (SELECT jsonb_object_agg(account, cents) FROM (SELECT leg.account, sum(leg.cents) AS cents FROM ledger_transfer t
      CROSS JOIN LATERAL (VALUES (t.debit_account, t.amount_cents), (t.credit_account, -t.amount_cents)) AS leg(account, cents)
      WHERE t.company_id = $1 AND t.at < ($2::date + 1)::timestamp AT TIME ZONE '${ZONE}' GROUP BY 1) a) AS balances`

const YEAR = `
  SELECT company_id, sum(payments), sum(bill_cents), sum(fee_cents + absorbed_cents), sum(bill_cents + fee_cents) FROM payment_day
  WHERE moved_on BETWEEN $1 AND $2 GROUP BY company_id`

/**
 * Adds the payments of one day, with two errors to find. One payment is not paid out. For one payment, the billing
 * system received a wrong amount.
 */
async function fillDay(owner: pg.Pool, company: number, day: string): Promise<void> {
  await owner.query(
    `WITH account AS (
      INSERT INTO utility_account (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)
      VALUES ($1, 'B1', 'Ada Quill', '', '', '1 Elm Street', 'Maple Grove', 'PA', '17011', now()) RETURNING id),
    made AS (
      INSERT INTO payment_order (company_id, status, type, reference, payer_name, payer_email, location, method, pay_type, bill_cents, fee_cents,
        total_cents, fee_quote, method_label, created_at, paid_at, net_bill_cents, net_fee_cents, search_text)
      SELECT $1, 1, 'Utility', 'B1', 'Ada Quill', '', 1, 1 + n % 2, 1, 5000 + n % 9000, 195, 5195 + n % 9000, '{}', '', at, at, 5000 + n % 9000, 195, ''
      FROM (SELECT n, $2::date::timestamp AT TIME ZONE '${ZONE}' + n * (interval '24 hours' / $3::int) AS at FROM generate_series(0, $3::int - 1) n) m RETURNING id, bill_cents, fee_cents, paid_at),
    lines AS (
      INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents, settled_cents, gl_account, fee_program, title, details)
      SELECT $1, made.id, 1, 'utility', account.id, bill_cents, fee_cents, 0, bill_cents, '400', 'convenience', 'Utility', '[]' FROM made, account),
    told AS (
      INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
      SELECT $1, account.id, made.id, 1, 'bench', 'pi_' || made.id, 'credit', bill_cents - CASE made.id WHEN (SELECT min(id) FROM made) THEN 1 ELSE 0 END, paid_at FROM made, account)
    INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
    SELECT $1, id, id, 1, 'gateway_clearing', leg.account, leg.cents, 'bench', 'pi_' || id, 'capture.' || leg.part, paid_at
    FROM made CROSS JOIN LATERAL (VALUES ('bill', 'payable_municipality', bill_cents), ('fee', 'fee_revenue', fee_cents)) AS leg(part, account, cents)`,
    [company, day, PAYMENTS],
  )
  await owner.query(
    `WITH line AS (SELECT order_id, source_ref, sum(amount_cents)::bigint AS cents, min(at) AS at FROM ledger_transfer WHERE company_id = $1 GROUP BY 1, 2 ORDER BY 1 OFFSET 1),
    sums AS (SELECT sum(cents) AS cents, count(*) AS n FROM line),
    written AS (
      INSERT INTO payout (company_id, provider, provider_ref, trace, paid_at, arrives_on, gross_cents, cost_cents, net_cents, line_count, line_cents, deposited_cents, deposited_on, search_text)
      SELECT $1, 'bench', 'po_1', 'SBX1', ($2::date + 1)::timestamp AT TIME ZONE 'UTC', $2::date + 3, cents, 0, cents, n, cents, cents, $2::date + 3, '' FROM sums RETURNING id)
    INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, movement_type, source_ref, amount_cents, cost_cents, at, ledger_cents, order_id)
    SELECT $1, w.id, row_number() OVER (), 'bench', 'txn_' || order_id, 'capture', source_ref, cents, 0, at, cents, order_id FROM line, written w`,
    [company, day],
  )
  await owner.query('UPDATE payment_settings SET reconciled_since = $2 WHERE company_id = $1', [company, day])
  await owner.query('INSERT INTO payment_day SELECT * FROM ledger_day')
}

/** Adds a year of daily totals of 2,000 companies, by card and by eCheck, with reversals. */
async function fillYear(owner: pg.Pool, today: string): Promise<void> {
  await addCompanies(owner, { first: 100_001, count: COMPANY_COUNT - 1, name: 'Town', subdomain: 'town' })
  await owner.query(
    `INSERT INTO payment_day (company_id, made_on, moved_on, movement_type, method, location, absorbs, payments, bill_cents, fee_cents, absorbed_cents)
     SELECT c.id, d::date, d::date, w.movement_type, m, 1, false, 20, 150000 * w.sign, 4000 * w.sign, 0
     FROM company c CROSS JOIN generate_series($1::date - 364, $1::date, interval '1 day') d CROSS JOIN generate_series(1, 2) m
     CROSS JOIN (VALUES ('capture', 1), ('refund', -1)) AS w(movement_type, sign)
     WHERE c.id > 100000 AND (w.movement_type = 'capture' OR extract(day FROM d)::int % 5 = 0)`,
    [today],
  )
  await owner.query('VACUUM (ANALYZE)')
}
