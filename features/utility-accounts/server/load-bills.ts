import { type Selectable, sql } from 'kysely'
import type { BillLine } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { addDays, toIso } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { BillRecord } from './bill-layout.ts'
import type { InvalidRow } from './import-file.ts'

/** What one line of a file changes. A line may make an account and its bill. */
export interface Change {
  line: number
  what: 'account' | 'account_updated' | 'bill' | 'paid' | 'adjustment' | 'shutoff' | 'no_document'
  account: string
  customer: string
  /** The number of the bill, or of the record. */
  bill: string
  /** The bill's amount, what was received for it elsewhere, or what a record comes to. */
  cents: number | null
  /** What had been received before. */
  before: number | null
  /** What a record says in words. */
  reason: string
}

/** How many there were of each, once the bills are loaded; what the new ones come to, and by how much more was received. */
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

export type LoadedBills2 = Counts & { changes: Change[]; wrong: InvalidRow[] }

/** The checks of foreign keys are planned once a connection; planned while the tables are small they would read them whole ever after. */
export const planByIndexes = (tx: Tx) => sql`SET LOCAL enable_seqscan = off`.execute(tx)

/** Loads some bills of a town in the caller's transaction: their accounts first, then what is new. */
/** Billing systems send bills some weeks ahead. A date far ahead is a mistyped year. */
const MAX_DAYS_AHEAD = 200

const tooEarly = ({ bill_date }: BillRecord, now: Date): string | null =>
  bill_date > addDays(toIso(now), MAX_DAYS_AHEAD) ? `bill_date ${bill_date} is more than six months ahead.` : null

export async function loadBills(
  tx: Tx,
  company: CompanyId,
  bills: readonly BillRecord[],
  now: Date,
): Promise<LoadedBills2> {
  await planByIndexes(tx)
  const { once, wrong: repeated, copies } = dropRepeats(bills)
  const accounts = await findAccounts(tx, company, once)
  const issued = await findBills(tx, company, once)
  const wrong = [...repeated]
  const good: BillRecord[] = []
  const fresh: BillRecord[] = []
  const paid: BillRecord[] = []
  for (const bill of once) {
    const known = issued.get(bill.bill_number)
    const reason = known
      ? await refusal(tx, company, bill, known, accounts.get(bill.account_number))
      : tooEarly(bill, now)
    if (reason) {
      wrong.push({ line: bill.line, reason, ...namesOf(bill) })
      continue
    }
    good.push(bill)
    if (!known) fresh.push(bill)
    else if (known.paid_elsewhere_cents !== bill.paid_elsewhere_cents) paid.push(bill)
  }
  const described = newestOfEach(good)
  const unknown = described.filter((bill) => !accounts.has(bill.account_number))
  const updated = await describeAnew(tx, company, described, accounts)
  const made = await insertAccounts(tx, company, unknown, now)
  const accountOf = ({ account_number: number }: BillRecord) => accounts.get(number)?.id ?? made.get(number)
  const loading = { tx, company, accountOf, now }
  await insertBills(loading, fresh)
  await updatePaid(tx, company, paid, now)
  await writeLinkCodes(loading, described)
  // Of an account that is only made now nobody asked to be told anything.
  const awaited = fresh.filter((bill) => accounts.has(bill.account_number))
  await noteNews(loading, awaited)
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
    wrong: wrong.toSorted((a, b) => a.line - b.line),
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

/** A bill number that stands twice: the same line again is nothing new, another one is wrong. */
function dropRepeats(bills: readonly BillRecord[]) {
  const first = new Map<string, BillRecord>()
  const wrong: InvalidRow[] = []
  let copies = 0
  for (const bill of bills) {
    const before = first.get(bill.bill_number)
    if (!before) first.set(bill.bill_number, bill)
    else if (JSON.stringify({ ...bill, line: 0 }) === JSON.stringify({ ...before, line: 0 })) copies += 1
    else
      wrong.push({
        line: bill.line,
        reason: `Bill ${bill.bill_number} stands on line ${before.line} already, with other facts.`,
        ...namesOf(bill),
      })
  }
  return { once: [...first.values()], wrong, copies }
}

const FACTS = [
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

type Account = Pick<Selectable<Schema['utility_account']>, 'id' | (typeof FACTS)[number]>
type IssuedBill = Selectable<Schema['utility_bill']>

/*
 * Of a town that is just being loaded there are no statistics, and the planner takes it for a town of one row: a join
 * would read the whole town for each line. So things are found by lists of keys, which an index answers, and put together
 * here. Rows go to the database as one array a column, which it reads quicker than JSON.
 */
const column = <K extends keyof BillRecord>(bills: readonly BillRecord[], name: K) => bills.map((bill) => bill[name])

/** The accounts of these lines that are here already, by number. */
async function findAccounts(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<Map<string, Account>> {
  const numbers = [...new Set(column(bills, 'account_number'))]
  const rows = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number', ...FACTS])
    .where('company_id', '=', company)
    .where(sql<boolean>`account_number = ANY(${numbers}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.account_number, row]))
}

/** The ids of accounts that are here, by number. */
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

/** The bills that are here already, by number. */
async function findBills(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<Map<string, IssuedBill>> {
  const rows = await tx
    .selectFrom('utility_bill')
    .selectAll()
    .where('company_id', '=', company)
    .where(sql<boolean>`bill_number = ANY(${column(bills, 'bill_number')}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.bill_number, row]))
}

/** A bill that was issued is a document: what it says stays. Only what was received for it elsewhere goes on changing. */
async function refusal(tx: Tx, company: CompanyId, bill: BillRecord, known: IssuedBill, account: Account | undefined) {
  const what = `Bill ${bill.bill_number}`
  if (known.account_id !== account?.id)
    return `${what} belongs to account ${await numberOf(tx, company, known.account_id)} already.`
  if (known.amount_cents !== bill.amount_cents)
    return `${what} is here with ${formatCents(known.amount_cents)}, this line says ${formatCents(bill.amount_cents)}. A bill that was issued is not changed.`
  const sameDates = DATES.every((name) => known[name] === bill[name])
  const differs = [sameDates ? '' : 'dates', textOf(known.lines) === textOf(bill.lines) ? '' : 'services']
  const told = differs.filter(Boolean).join(' and ')
  return told ? `${what} is here with other ${told}. A bill that was issued is not changed.` : null
}

/** Lines as one text, whatever the order of their fields. */
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

/** An account is described by its newest bill, so that the order of files and lines does not matter. */
function newestOfEach(bills: readonly BillRecord[]): BillRecord[] {
  const newest = new Map<string, BillRecord>()
  const age = (bill: BillRecord) => `${bill.bill_date} ${bill.bill_number}`
  for (const bill of bills) {
    const known = newest.get(bill.account_number)
    if (!known || age(bill) > age(known)) newest.set(bill.account_number, bill)
  }
  return [...newest.values()]
}

const factsAsArrays = (bills: readonly BillRecord[]) =>
  sql.join(FACTS.map((name) => sql`${column(bills, name)}::text[]`))

/** @returns the id of each new account, by number */
async function insertAccounts(
  tx: Tx,
  company: CompanyId,
  bills: readonly BillRecord[],
  now: Date,
): Promise<Map<string, number>> {
  if (bills.length === 0) return new Map()
  const { rows } = await sql<{ id: number; account_number: string }>`
    INSERT INTO utility_account (company_id, created_at, account_number, ${sql.join(FACTS.map((name) => sql.ref(name)))})
    SELECT ${company}::int, ${now}::timestamptz, x.*
    FROM unnest(${column(bills, 'account_number')}::text[], ${factsAsArrays(bills)}) AS x
    RETURNING id, account_number`.execute(tx)
  return new Map(rows.map((row) => [row.account_number, row.id]))
}

/** Unless a newer bill is here, which describes the account better. @returns the bills that describe their accounts anew */
async function describeAnew(
  tx: Tx,
  company: CompanyId,
  newest: readonly BillRecord[],
  accounts: ReadonlyMap<string, Account>,
): Promise<BillRecord[]> {
  const bills = newest.filter((bill) => {
    const known = accounts.get(bill.account_number)
    return known && FACTS.some((name) => known[name] !== bill[name])
  })
  if (bills.length === 0) return []
  const ids = bills.map((bill) => accounts.get(bill.account_number)?.id)
  const { rows } = await sql<{ id: number }>`
    UPDATE utility_account a SET ${sql.join(FACTS.map((name) => sql`${sql.ref(name)} = x.${sql.ref(name)}`))}
    FROM unnest(${ids}::bigint[], ${column(bills, 'bill_date')}::date[], ${factsAsArrays(bills)})
      AS x(id, bill_date, ${sql.join(FACTS.map((name) => sql.ref(name)))})
    WHERE a.company_id = ${company} AND a.id = ANY(${ids}::bigint[]) AND a.id = x.id AND NOT EXISTS (
      SELECT FROM utility_bill b WHERE b.company_id = ${company} AND b.account_id = x.id AND b.bill_date > x.bill_date)
    RETURNING a.id`.execute(tx)
  const changed = new Set(rows.map(({ id }) => id))
  return bills.filter((bill) => changed.has(accounts.get(bill.account_number)?.id ?? 0))
}

/** Bills that are written down, each on its account. */
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

/** The codes that the town prints for its customers to link their accounts by; a file without them changes none. */
async function writeLinkCodes({ tx, company, accountOf }: Loading, bills: readonly BillRecord[]): Promise<void> {
  const given = bills.filter(({ link_code }) => link_code !== '')
  if (given.length === 0) return
  const ids = given.map(accountOf)
  await sql`
    UPDATE utility_account a SET link_code_hash = x.hash
    FROM unnest(${ids}::bigint[], ${given.map(({ link_code }) => hashSecret(link_code))}::bytea[]) AS x(id, hash)
    WHERE a.company_id = ${company} AND a.id = ANY(${ids}::bigint[]) AND a.id = x.id
      AND a.link_code_hash IS DISTINCT FROM x.hash`.execute(tx)
}

/** What is older is history that a town brings along: nobody wants mails of it. */
export const NEWS_DAYS = 45

/** New bills of accounts that have them without paper are told by a job. */
async function noteNews({ tx, company, accountOf, now }: Loading, bills: readonly BillRecord[]): Promise<void> {
  const since = addDays(toIso(now), -NEWS_DAYS)
  const fresh = bills.filter(({ bill_date }) => bill_date >= since)
  if (fresh.length === 0) return
  const ids = fresh.map(accountOf)
  await sql`
    INSERT INTO utility_news (company_id, account_id, bill_number)
    SELECT a.company_id, a.id, x.number FROM unnest(${ids}::bigint[], ${column(fresh, 'bill_number')}::text[]) AS x(id, number)
    JOIN utility_account a ON a.company_id = ${company} AND a.id = ANY(${ids}::bigint[]) AND a.id = x.id
    WHERE a.paperless_since IS NOT NULL`.execute(tx)
}
