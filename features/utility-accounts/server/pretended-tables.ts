import { type RawBuilder, sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { BillRecord } from './bill-layout.ts'
import type { AccountRecord } from './record-layout.ts'

/**
 * First id in the temporary tables. All real ids are far smaller, so a new account in a preview never gets the id of a
 * real account.
 */
const FIRST_ID = 4_000_000_000_000_000

/**
 * Creates empty temporary tables that hide the real tables for accounts, bills, account records and queued notices.
 * PostgreSQL searches temporary tables first, so the loader runs unchanged. The temporary tables are dropped at the end
 * of the transaction.
 */
export async function pretend(tx: Tx): Promise<void> {
  // Raises the timeout, because the transaction is idle while PDFs are checked between two parts of the file.
  await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(3_600_000)}`.execute(tx)
  await sql`CREATE TEMP TABLE utility_account (LIKE public.utility_account INCLUDING DEFAULTS INCLUDING IDENTITY) ON COMMIT DROP`.execute(
    tx,
  )
  await sql`ALTER TABLE pg_temp.utility_account ALTER COLUMN id RESTART WITH ${sql.lit(FIRST_ID)},
    ADD PRIMARY KEY (company_id, id), ADD UNIQUE (company_id, account_number)`.execute(tx)
  await sql`CREATE TEMP TABLE utility_bill (LIKE public.utility_bill INCLUDING DEFAULTS) ON COMMIT DROP`.execute(tx)
  await sql`ALTER TABLE pg_temp.utility_bill ADD PRIMARY KEY (company_id, bill_number)`.execute(tx)
  await sql`CREATE TEMP TABLE utility_update (LIKE public.utility_update INCLUDING DEFAULTS INCLUDING IDENTITY) ON COMMIT DROP`.execute(
    tx,
  )
  await sql`CREATE INDEX ON pg_temp.utility_bill (company_id, account_id, bill_date)`.execute(tx)
  await sql`CREATE TEMP TABLE utility_adjustment (LIKE public.utility_adjustment) ON COMMIT DROP`.execute(tx)
  await sql`ALTER TABLE pg_temp.utility_adjustment ADD PRIMARY KEY (company_id, adjustment_number)`.execute(tx)
  await sql`CREATE TEMP TABLE utility_shutoff (LIKE public.utility_shutoff INCLUDING DEFAULTS INCLUDING GENERATED) ON COMMIT DROP`.execute(
    tx,
  )
  await sql`ALTER TABLE pg_temp.utility_shutoff ADD PRIMARY KEY (company_id, shutoff_number)`.execute(tx)
}

/**
 * Copies the matching rows of a table, with the alias `r`. Skips rows that were already copied, because their copies
 * contain changes by earlier lines.
 */
const copy = (tx: Tx, company: CompanyId, table: string, which: RawBuilder<unknown>) =>
  sql`
  INSERT INTO ${sql.table(`pg_temp.${table}`)} SELECT r.* FROM ${sql.table(`public.${table}`)} r
  WHERE r.company_id = ${company} AND ${which} ON CONFLICT DO NOTHING`.execute(tx)

/** Copies the records named in these lines and their accounts. Skips rows that were already copied. */
export async function copyRecords(tx: Tx, company: CompanyId, records: readonly AccountRecord[]): Promise<void> {
  if (records.length === 0) return
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  const numbers = records.map(({ record_number }) => record_number)
  const accounts = records.map(({ account_number }) => account_number)
  await copy(tx, company, 'utility_account', sql`r.account_number = ANY(${accounts}::text[])`)
  await copy(tx, company, 'utility_adjustment', sql`r.adjustment_number = ANY(${numbers}::text[])`)
  await sql`
    INSERT INTO pg_temp.utility_shutoff (company_id, shutoff_number, account_id, scheduled_on, off_on, restored_on, amount_cents, reason, imported_at)
    SELECT company_id, shutoff_number, account_id, scheduled_on, off_on, restored_on, amount_cents, reason, imported_at
    FROM public.utility_shutoff WHERE company_id = ${company} AND shutoff_number = ANY(${numbers}::text[])
    ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Copies the bills and accounts named in these lines. Skips rows that were already copied, because their copies contain
 * changes by earlier lines.
 */
export async function copyBills(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<void> {
  if (bills.length === 0) return
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  const accounts = [...new Set(bills.map((bill) => bill.account_number))]
  const numbers = bills.map((bill) => bill.bill_number)
  await copy(tx, company, 'utility_bill', sql`r.bill_number = ANY(${numbers}::text[])`)
  // Copies the accounts named in the lines, and the accounts to which the named bills currently belong.
  await copy(tx, company, 'utility_account', sql`r.account_number = ANY(${accounts}::text[])`)
  const accountIds = sql`
    SELECT b.account_id FROM pg_temp.utility_bill b
    WHERE b.company_id = ${company} AND b.bill_number = ANY(${numbers}::text[])`
  await copy(tx, company, 'utility_account', sql`r.id = ANY(ARRAY(${accountIds}))`)
  // Also copies the latest bill of each account. Account data comes from the latest bill, so the loader compares its
  // date with each line.
  await sql`
    INSERT INTO pg_temp.utility_bill SELECT newest.* FROM pg_temp.utility_account a CROSS JOIN LATERAL (
      SELECT b.* FROM public.utility_bill b WHERE b.company_id = ${company} AND b.account_id = a.id
      ORDER BY b.bill_date DESC LIMIT 1) newest
    WHERE a.company_id = ${company} AND a.account_number = ANY(${accounts}::text[])
    ON CONFLICT DO NOTHING`.execute(tx)
}
