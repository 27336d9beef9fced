import { sql } from 'kysely'
import type { ImportedRows } from '../../../server/imported-rows.ts'
import type { RowResult } from '../../../server/listed-rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'

export interface AccountBalance {
  account_number: string
  customer_name: string
  customer_email: string
  phone_no: string
  service_address: string
  city: string
  state: string
  zipcode: string
  balance_cents: number
}

/** Stored values of the file. */
export const storedBalances = {
  table: 'utility_account',
  columns: {
    ...{ account_number: 'account_number', customer_name: 'customer_name', service_address: 'service_address' },
    ...{ balance: 'balance_cents', city: 'city', state: 'state', zip: 'zipcode', customer_email: 'customer_email' },
    phone: 'phone_no',
  },
}

interface BalanceDay {
  /** Day of the balances. */
  day: string
  now: Date
  changes: ImportedRows
  /** Amounts that the billing system has already posted, in cents, by account id. */
  postedOf: (accounts: readonly number[]) => Promise<ReadonlyMap<number, number>>
}

export interface SetBalances {
  /** Result of each account. */
  resultOf: (accountNumber: string) => RowResult
  /** Sum of the adjustments, in cents. */
  adjustedCents: number
}

const column = <K extends keyof AccountBalance>(rows: readonly AccountBalance[], name: K) =>
  rows.map((row) => row[name])
const DETAILS = ['customer_name', 'customer_email', 'phone_no', 'service_address', 'city', 'state', 'zipcode'] as const

interface AccountStatus {
  id: number
  account_number: string
  created: boolean
  changed: boolean
  /** Amount due from bills and adjustments until the day of the balances, in cents. */
  due_cents: number
}

/**
 * Sets the balances of accounts on one day. The difference to the amount due at that point becomes an adjustment. The
 * amount due at that point counts only the payments that the billing system has posted, so no payment counts twice.
 */
export async function setBalances(
  tx: Tx,
  company: CompanyId,
  rows: readonly AccountBalance[],
  { day, now, changes, postedOf }: BalanceDay,
): Promise<SetBalances> {
  if (rows.length === 0) return { resultOf: () => 'unchanged', adjustedCents: 0 }
  await changes.keep('utility_account', 'account_number', column(rows, 'account_number'))
  const statuses = await writeAccounts(tx, company, rows, { day, now })
  const posted = await postedOf(statuses.map(({ id }) => id))
  const balances = new Map(rows.map((row) => [row.account_number, row.balance_cents]))
  const adjustments = statuses
    .map(({ id, account_number, due_cents }) => ({
      id,
      number: `BALANCE-${day}-${account_number}`,
      cents: (balances.get(account_number) ?? 0) - due_cents + (posted.get(id) ?? 0),
    }))
    .filter(({ cents }) => cents !== 0)
  const numbers = await insertAdjustments(tx, company, adjustments, { day, now })
  await changes.note('utility_adjustment', 'adjustment_number', numbers)
  const adjusted = new Set(adjustments.map(({ id }) => id))
  const results = new Map<string, RowResult>(
    statuses.map(({ account_number, id, created, changed }) => [
      account_number,
      created ? 'created' : changed || adjusted.has(id) ? 'changed' : 'unchanged',
    ]),
  )
  return {
    resultOf: (number) => results.get(number) ?? 'unchanged',
    adjustedCents: adjustments.reduce((sum, { cents }) => sum + cents, 0),
  }
}

/** Writes the accounts, and returns their amounts due. Accounts with bills have their data from the newest bill. */
async function writeAccounts(
  tx: Tx,
  company: CompanyId,
  rows: readonly AccountBalance[],
  { day, now }: { day: string; now: Date },
): Promise<AccountStatus[]> {
  const details = sql.join(DETAILS.map((name) => sql.ref(name)))
  const numbers = column(rows, 'account_number')
  const { rows: made } = await sql<{ id: number }>`
    INSERT INTO utility_account (company_id, created_at, balance_on, account_number, balance_cents, ${details})
    SELECT ${company}::int, ${now}::timestamptz, ${day}::date, x.*
    FROM unnest(${numbers}::text[], ${column(rows, 'balance_cents')}::bigint[],
      ${sql.join(DETAILS.map((name) => sql`${column(rows, name)}::text[]`))}) AS x
    ON CONFLICT (company_id, account_number) DO NOTHING RETURNING id`.execute(tx)
  const fresh = new Set(made.map(({ id }) => id))
  const { rows: updated } = await sql<{ id: number }>`
    UPDATE utility_account a SET balance_on = ${day}::date, balance_cents = x.balance_cents,
      ${sql.join(DETAILS.map((name) => sql`${sql.ref(name)} = CASE WHEN b.has_bills OR x.${sql.ref(name)} = '' THEN a.${sql.ref(name)} ELSE x.${sql.ref(name)} END`))}
    FROM unnest(${numbers}::text[], ${column(rows, 'balance_cents')}::bigint[],
      ${sql.join(DETAILS.map((name) => sql`${column(rows, name)}::text[]`))}) AS x(account_number, balance_cents, ${details})
      CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM utility_account o JOIN utility_bill l ON l.company_id = o.company_id AND l.account_id = o.id
        WHERE o.company_id = ${company} AND o.account_number = x.account_number) AS has_bills) b
    WHERE a.company_id = ${company} AND a.account_number = x.account_number AND a.id <> ALL (${[...fresh]}::bigint[])
      AND (a.balance_on, a.balance_cents) IS DISTINCT FROM (${day}::date, x.balance_cents)
    RETURNING a.id`.execute(tx)
  const changed = new Set(updated.map(({ id }) => id))
  const { rows: statuses } = await sql<Omit<AccountStatus, 'created' | 'changed'>>`
    SELECT a.id, a.account_number,
      (SELECT coalesce(sum(b.amount_cents - b.paid_elsewhere_cents), 0)::bigint FROM utility_bill b
        WHERE b.company_id = ${company} AND b.account_id = a.id AND b.bill_date <= ${day}::date)
      + (SELECT coalesce(sum(j.amount_cents), 0)::bigint FROM utility_adjustment j
        WHERE j.company_id = ${company} AND j.account_id = a.id AND j.adjusted_on <= ${day}::date) AS due_cents
    FROM utility_account a WHERE a.company_id = ${company} AND a.account_number = ANY (${numbers}::text[])
    ORDER BY a.id FOR NO KEY UPDATE`.execute(tx)
  return statuses.map((row) => ({ ...row, created: fresh.has(row.id), changed: changed.has(row.id) }))
}

/** Inserts the adjustments. A second balance of the same day gets another number. @returns the numbers */
async function insertAdjustments(
  tx: Tx,
  company: CompanyId,
  adjustments: readonly { id: number; number: string; cents: number }[],
  { day, now }: { day: string; now: Date },
): Promise<string[]> {
  if (adjustments.length === 0) return []
  const { rows } = await sql<{ number: string }>`
    INSERT INTO utility_adjustment (company_id, imported_at, adjusted_on, reason, account_id, adjustment_number, amount_cents)
    SELECT ${company}::int, ${now}::timestamptz, ${day}::date, ${say`Balance as of ${formatDate(day)}`}, x.id,
      x.number || CASE WHEN n.earlier = 0 THEN '' ELSE '-' || n.earlier + 1 END, x.cents
    FROM unnest(${adjustments.map(({ id }) => id)}::bigint[], ${adjustments.map(({ number }) => number)}::text[],
      ${adjustments.map(({ cents }) => cents)}::bigint[]) AS x(id, number, cents)
    CROSS JOIN LATERAL (SELECT count(*) AS earlier FROM utility_adjustment j WHERE j.company_id = ${company} AND j.account_id = x.id
      AND (j.adjustment_number = x.number OR j.adjustment_number LIKE x.number || '-%')) n
    RETURNING adjustment_number AS number`.execute(tx)
  return rows.map(({ number }) => number)
}
