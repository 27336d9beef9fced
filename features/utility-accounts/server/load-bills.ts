import { type Selectable, sql } from 'kysely'
import type { BillLine } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { addDays, toIso } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { BillRecord } from './bill-layout.ts'
import type { InvalidRow } from './import-file.ts'

/** Change made by one line of a file. One line may create both an account and its bill. */
export interface Change {
  line: number
  what: 'account' | 'account_updated' | 'bill' | 'paid' | 'adjustment' | 'shutoff' | 'no_document'
  account: string
  customer: string
  /** Number of the bill or the account record. */
  bill: string
  /** Amount of the bill, amount received elsewhere, or amount of an account record. In cents. */
  cents: number | null
  /** Amount received elsewhere before the change. In cents. */
  before: number | null
  /** Reason text of an account record. Empty for other changes. */
  reason: string
}

/** Counts of loaded rows, the total of new bills, and the increase of amounts received elsewhere. */
export type Counts = Record<
  | 'accountsCreated'
  | 'accountsUpdated'
  | 'billsCreated'
  | 'billsChanged'
  | 'billsUnchanged'
  | 'billedCents'
  | 'receivedCents',
  number
>

export type LoadedBills2 = Counts & { changes: Change[]; invalidRows: InvalidRow[] }

/**
 * Makes foreign key checks use indexes. PostgreSQL plans these checks once per connection. A plan made for small tables
 * would keep scanning the tables after they grow.
 */
export const planByIndexes = (tx: Tx) => sql`SET LOCAL enable_seqscan = off`.execute(tx)

/**
 * Maximum days that a bill's date may be in the future. Billing systems send bills a few weeks ahead, so a later date
 * is probably a mistyped year.
 */
const MAX_DAYS_AHEAD = 200

const tooEarly = ({ bill_date }: BillRecord, now: Date): string | null =>
  bill_date > addDays(toIso(now), MAX_DAYS_AHEAD)
    ? `bill_date ${bill_date} is more than six months in the future.`
    : null

export async function loadBills(
  tx: Tx,
  company: CompanyId,
  bills: readonly BillRecord[],
  now: Date,
): Promise<LoadedBills2> {
  await planByIndexes(tx)
  const { once, invalidRows: repeated, copies } = dropRepeats(bills)
  const accounts = await findAccounts(tx, company, once)
  const issued = await findBills(tx, company, once)
  const invalidRows = [...repeated]
  const good: BillRecord[] = []
  const fresh: BillRecord[] = []
  const paid: BillRecord[] = []
  for (const bill of once) {
    const existing = issued.get(bill.bill_number)
    const reason = existing
      ? await refusal(tx, company, bill, existing, accounts.get(bill.account_number))
      : tooEarly(bill, now)
    if (reason) {
      invalidRows.push({ line: bill.line, reason, ...namesOf(bill) })
      continue
    }
    good.push(bill)
    if (!existing) fresh.push(bill)
    else if (existing.paid_elsewhere_cents !== bill.paid_elsewhere_cents) paid.push(bill)
  }
  const described = newestOfEach(good)
  const unknown = described.filter((bill) => !accounts.has(bill.account_number))
  const updated = await updateAccounts(tx, company, described, accounts)
  const made = await insertAccounts(tx, company, unknown, now)
  const accountOf = ({ account_number: number }: BillRecord) => accounts.get(number)?.id ?? made.get(number)
  const loading = { tx, company, accountOf, now }
  await insertBills(loading, fresh)
  await updatePaid(tx, company, paid, now)
  await writeLinkCodes(loading, described)
  // Only existing accounts can have linked people to notify.
  const awaited = fresh.filter((bill) => accounts.has(bill.account_number))
  await recordUpdates(loading, awaited)
  const before = (bill: BillRecord) => issued.get(bill.bill_number)?.paid_elsewhere_cents ?? 0
  const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0)
  return {
    accountsCreated: unknown.length,
    accountsUpdated: updated.length,
    billsCreated: fresh.length,
    billsChanged: paid.length,
    billsUnchanged: copies + good.length - fresh.length - paid.length,
    billedCents: sum(fresh.map((bill) => bill.amount_cents)),
    receivedCents: sum(paid.map((bill) => bill.paid_elsewhere_cents - before(bill))),
    changes: [
      ...unknown.map((bill) => changeOf(bill, 'account', null)),
      ...updated.map((bill) => changeOf(bill, 'account_updated', null)),
      ...fresh.map((bill) => changeOf(bill, 'bill', bill.amount_cents)),
      ...paid.map((bill) => changeOf(bill, 'paid', bill.paid_elsewhere_cents, before(bill))),
    ].toSorted((a, b) => a.line - b.line),
    invalidRows: invalidRows.toSorted((a, b) => a.line - b.line),
  }
}

const changeOf = (
  { line, account_number: account, customer_name: customer, bill_number: bill }: BillRecord,
  what: Change['what'],
  cents: number | null,
  before: number | null = null,
): Change => ({ line, what, account, customer, bill, cents, before, reason: '' })

const namesOf = ({ account_number: account, customer_name: customer, bill_number: bill }: BillRecord) => ({
  ...{ account, customer, bill },
})

/** Handles repeated bill numbers in a file. Ignores an identical line, and reports a different line as invalid. */
function dropRepeats(bills: readonly BillRecord[]) {
  const first = new Map<string, BillRecord>()
  const invalidRows: InvalidRow[] = []
  let copies = 0
  for (const bill of bills) {
    const before = first.get(bill.bill_number)
    if (!before) first.set(bill.bill_number, bill)
    else if (JSON.stringify({ ...bill, line: 0 }) === JSON.stringify({ ...before, line: 0 })) copies += 1
    else
      invalidRows.push({
        line: bill.line,
        reason: `Line ${before.line} already has bill ${bill.bill_number} with different data.`,
        ...namesOf(bill),
      })
  }
  return { once: [...first.values()], invalidRows, copies }
}

const ACCOUNT_COLUMNS = [
  'customer_name',
  'customer_email',
  'phone_no',
  'service_address',
  'city',
  'state',
  'zipcode',
  'route',
] as const
const DATES = ['bill_date', 'due_date', 'period_start', 'period_end'] as const

type Account = Pick<Selectable<Schema['utility_account']>, 'id' | (typeof ACCOUNT_COLUMNS)[number]>
type IssuedBill = Selectable<Schema['utility_bill']>

/*
 * Converts one field of all rows to an array, because PostgreSQL reads arrays faster than JSON. The loader selects rows
 * by lists of keys and joins them in memory. During a first import, the query planner has no statistics and would
 * choose slow joins.
 */
const column = <K extends keyof BillRecord>(bills: readonly BillRecord[], name: K) => bills.map((bill) => bill[name])

/** Finds the existing accounts of these lines, by number. */
async function findAccounts(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<Map<string, Account>> {
  const numbers = [...new Set(column(bills, 'account_number'))]
  const rows = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number', ...ACCOUNT_COLUMNS])
    .where('company_id', '=', company)
    .where(sql<boolean>`account_number = ANY(${numbers}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.account_number, row]))
}

/** Finds the ids of existing accounts, by number. */
export async function accountIdsOf(
  tx: Tx,
  company: CompanyId,
  lines: readonly { account_number: string }[],
): Promise<Map<string, number>> {
  const numbers = [...new Set(lines.map(({ account_number }) => account_number))]
  const rows = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number'])
    .where('company_id', '=', company)
    .where(sql<boolean>`account_number = ANY(${numbers}::text[])`)
    .execute()
  return new Map(rows.map(({ id, account_number }) => [account_number, id]))
}

/** Finds the existing bills, by number. */
async function findBills(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<Map<string, IssuedBill>> {
  const rows = await tx
    .selectFrom('utility_bill')
    .selectAll()
    .where('company_id', '=', company)
    .where(sql<boolean>`bill_number = ANY(${column(bills, 'bill_number')}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.bill_number, row]))
}

/** Returns the reason to refuse a change. An issued bill must not change, except for the amount received elsewhere. */
async function refusal(
  tx: Tx,
  company: CompanyId,
  bill: BillRecord,
  existing: IssuedBill,
  account: Account | undefined,
) {
  const what = `Bill ${bill.bill_number}`
  if (existing.account_id !== account?.id)
    return `${what} already belongs to account ${await numberOf(tx, company, existing.account_id)}.`
  if (existing.amount_cents !== bill.amount_cents)
    return `${what} was already imported with ${formatCents(existing.amount_cents)}, but this line has ${formatCents(bill.amount_cents)}. An issued bill cannot change.`
  const sameDates = DATES.every((name) => existing[name] === bill[name])
  const differs = [sameDates ? '' : 'dates', textOf(existing.lines) === textOf(bill.lines) ? '' : 'services']
  const difference = differs.filter(Boolean).join(' and ')
  return difference ? `${what} was already imported with different ${difference}. An issued bill cannot change.` : null
}

/** Formats bill lines as text that does not depend on the order of their fields. */
const textOf = (lines: readonly BillLine[]): string =>
  JSON.stringify(lines.map((line) => [line.service, line.description, line.quantity, line.unit, line.amountCents]))

async function numberOf(tx: Tx, company: CompanyId, id: number): Promise<string> {
  const row = await tx
    .selectFrom('utility_account')
    .select('account_number')
    .where(({ and }) => and({ company_id: company, id }))
    .executeTakeFirstOrThrow()
  return row.account_number
}

/**
 * Selects the latest bill of each account. Account data comes from this bill, so the order of files and lines does not
 * matter.
 */
function newestOfEach(bills: readonly BillRecord[]): BillRecord[] {
  const newest = new Map<string, BillRecord>()
  const age = (bill: BillRecord) => `${bill.bill_date} ${bill.bill_number}`
  for (const bill of bills) {
    const previous = newest.get(bill.account_number)
    if (!previous || age(bill) > age(previous)) newest.set(bill.account_number, bill)
  }
  return [...newest.values()]
}

const accountColumnsAsArrays = (bills: readonly BillRecord[]) =>
  sql.join(ACCOUNT_COLUMNS.map((name) => sql`${column(bills, name)}::text[]`))

/**
 * Inserts new accounts.
 * @returns the id of each new account, by number
 */
async function insertAccounts(
  tx: Tx,
  company: CompanyId,
  bills: readonly BillRecord[],
  now: Date,
): Promise<Map<string, number>> {
  if (bills.length === 0) return new Map()
  const { rows } = await sql<{ id: number; account_number: string }>`
    INSERT INTO utility_account (company_id, created_at, account_number, ${sql.join(ACCOUNT_COLUMNS.map((name) => sql.ref(name)))})
    SELECT ${company}::int, ${now}::timestamptz, x.*
    FROM unnest(${column(bills, 'account_number')}::text[], ${accountColumnsAsArrays(bills)}) AS x
    RETURNING id, account_number`.execute(tx)
  return new Map(rows.map((row) => [row.account_number, row.id]))
}

/**
 * Updates account data from bills, unless the portal already has a newer bill of the account.
 * @returns the bills that changed their accounts
 */
async function updateAccounts(
  tx: Tx,
  company: CompanyId,
  newest: readonly BillRecord[],
  accounts: ReadonlyMap<string, Account>,
): Promise<BillRecord[]> {
  const bills = newest.filter((bill) => {
    const existing = accounts.get(bill.account_number)
    return existing && ACCOUNT_COLUMNS.some((name) => existing[name] !== bill[name])
  })
  if (bills.length === 0) return []
  const ids = bills.map((bill) => accounts.get(bill.account_number)?.id)
  const { rows } = await sql<{ id: number }>`
    UPDATE utility_account a SET ${sql.join(ACCOUNT_COLUMNS.map((name) => sql`${sql.ref(name)} = x.${sql.ref(name)}`))}
    FROM unnest(${ids}::bigint[], ${column(bills, 'bill_date')}::date[], ${accountColumnsAsArrays(bills)})
      AS x(id, bill_date, ${sql.join(ACCOUNT_COLUMNS.map((name) => sql.ref(name)))})
    WHERE a.company_id = ${company} AND a.id = ANY(${ids}::bigint[]) AND a.id = x.id AND NOT EXISTS (
      SELECT FROM utility_bill b WHERE b.company_id = ${company} AND b.account_id = x.id AND b.bill_date > x.bill_date)
    RETURNING a.id`.execute(tx)
  const changed = new Set(rows.map(({ id }) => id))
  return bills.filter((bill) => changed.has(accounts.get(bill.account_number)?.id ?? 0))
}

/** Values for inserting bills. `accountOf` returns the account id of a bill. */
interface Loading {
  tx: Tx
  company: CompanyId
  accountOf: (bill: BillRecord) => number | undefined
  now: Date
}

async function insertBills({ tx, company, accountOf, now }: Loading, bills: readonly BillRecord[]): Promise<void> {
  if (bills.length === 0) return
  await sql`
    INSERT INTO utility_bill (company_id, imported_at, account_id, bill_number, ${sql.join(DATES.map((name) => sql.ref(name)))},
      lines, amount_cents, paid_elsewhere_cents)
    SELECT ${company}::int, ${now}::timestamptz, x.*
    FROM unnest(${bills.map(accountOf)}::bigint[], ${column(bills, 'bill_number')}::text[],
      ${sql.join(DATES.map((name) => sql`${column(bills, name)}::date[]`))},
      ${bills.map((bill) => JSON.stringify(bill.lines))}::jsonb[], ${column(bills, 'amount_cents')}::bigint[],
      ${column(bills, 'paid_elsewhere_cents')}::bigint[]) AS x`.execute(tx)
}

async function updatePaid(tx: Tx, company: CompanyId, bills: readonly BillRecord[], now: Date): Promise<void> {
  if (bills.length === 0) return
  const numbers = column(bills, 'bill_number')
  await sql`
    UPDATE utility_bill b SET paid_elsewhere_cents = x.cents, imported_at = ${now}
    FROM unnest(${numbers}::text[], ${column(bills, 'paid_elsewhere_cents')}::bigint[]) AS x(number, cents)
    WHERE b.company_id = ${company} AND b.bill_number = ANY(${numbers}::text[]) AND b.bill_number = x.number`.execute(
    tx,
  )
}

/**
 * Saves hashes of the link codes that the company prints on its bills. A file without codes does not change existing
 * codes.
 */
async function writeLinkCodes({ tx, company, accountOf }: Loading, bills: readonly BillRecord[]): Promise<void> {
  const withLinkCode = bills.filter(({ link_code }) => link_code !== '')
  if (withLinkCode.length === 0) return
  const ids = withLinkCode.map(accountOf)
  await sql`
    UPDATE utility_account a SET link_code_hash = x.hash
    FROM unnest(${ids}::bigint[], ${withLinkCode.map(({ link_code }) => hashSecret(link_code))}::bytea[]) AS x(id, hash)
    WHERE a.company_id = ${company} AND a.id = ANY(${ids}::bigint[]) AND a.id = x.id
      AND a.link_code_hash IS DISTINCT FROM x.hash`.execute(tx)
}

/**
 * Maximum age of a bill for notifications, in days. Older bills are imported history, so the portal notifies no one.
 */
export const UPDATE_DAYS = 45

/** Queues new bills of paperless accounts for the job that notifies people. */
async function recordUpdates({ tx, company, accountOf, now }: Loading, bills: readonly BillRecord[]): Promise<void> {
  const since = addDays(toIso(now), -UPDATE_DAYS)
  const fresh = bills.filter(({ bill_date }) => bill_date >= since)
  if (fresh.length === 0) return
  const ids = fresh.map(accountOf)
  await sql`
    INSERT INTO utility_update (company_id, account_id, bill_number)
    SELECT a.company_id, a.id, x.number FROM unnest(${ids}::bigint[], ${column(fresh, 'bill_number')}::text[]) AS x(id, number)
    JOIN utility_account a ON a.company_id = ${company} AND a.id = ANY(${ids}::bigint[]) AND a.id = x.id
    WHERE a.paperless_since IS NOT NULL`.execute(tx)
}
