import { type RawBuilder, sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import type { ReadBill } from './bill-layout.ts'

export interface Wrong {
  line: number
  reason: string
}

export interface Loaded {
  accountsCreated: number
  accountsUpdated: number
  billsCreated: number
  billsChanged: number
  billsUnchanged: number
  wrong: Wrong[]
}

/** Imports of one town take turns, batch by batch, so that two of them at once neither collide nor wait for each other in a ring. */
const IMPORT_LOCK = 20_117

/** Loads some bills of a town in the caller's transaction: their accounts first, then what is new. */
export async function loadBills(tx: Tx, company: CompanyId, bills: readonly ReadBill[], now: Date): Promise<Loaded> {
  // The checks of foreign keys are planned once a connection; planned while the tables are small they would read them whole ever after.
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  await sql`SELECT pg_advisory_xact_lock(${IMPORT_LOCK}, ${company})`.execute(tx)
  const { once, wrong: repeated, copies } = dropRepeats(bills)
  const states = await compare(tx, company, once)
  const wrong = [...repeated]
  const good: ReadBill[] = []
  const changed: ReadBill[] = []
  const counts = { new: 0, paid: 0, same: copies }
  for (const bill of once) {
    const known = states.get(bill.line)
    const reason = known && refusal(bill, known)
    if (reason) wrong.push({ line: bill.line, reason })
    else {
      const state = known ? (known.paid === bill.paid_elsewhere_cents ? 'same' : 'paid') : 'new'
      counts[state] += 1
      good.push(bill)
      if (state !== 'same') changed.push(bill)
    }
  }
  const accounts = await upsertAccounts(tx, company, newestOfEach(good), now)
  if (changed.length > 0) await upsertBills(tx, company, changed, now)
  return {
    accountsCreated: accounts.filter((row) => row.created).length,
    accountsUpdated: accounts.filter((row) => !row.created).length,
    billsCreated: counts.new,
    billsChanged: counts.paid,
    billsUnchanged: counts.same,
    wrong: wrong.toSorted((a, b) => a.line - b.line),
  }
}

/** A bill number that stands twice: the same line again is nothing new, another one is wrong. */
function dropRepeats(bills: readonly ReadBill[]) {
  const first = new Map<string, ReadBill>()
  const wrong: Wrong[] = []
  let copies = 0
  for (const bill of bills) {
    const before = first.get(bill.bill_number)
    if (!before) first.set(bill.bill_number, bill)
    else if (JSON.stringify({ ...bill, line: 0 }) === JSON.stringify({ ...before, line: 0 })) copies += 1
    else
      wrong.push({
        line: bill.line,
        reason: `Bill ${bill.bill_number} stands on line ${before.line} already, with other facts.`,
      })
  }
  return { once: [...first.values()], wrong, copies }
}

/**
 * The bills as a table in a query.
 *
 * What belongs to each is looked up by LATERAL with `>=`, an order and a LIMIT: one probe of the one index that has
 * this order. Of a town that is just being loaded there are no statistics, the planner takes it for a town of one row,
 * and plain joins would read the whole town for each line.
 */
const rowsOf = (
  bills: readonly ReadBill[],
): RawBuilder<unknown> => sql`jsonb_to_recordset(${JSON.stringify(bills)}::jsonb) AS x(
  line int, account_number text, customer_name text, customer_email text, phone_no text, service_address text, city text,
  state text, zipcode text, bill_number text, bill_date date, due_date date, period_start date, period_end date, lines jsonb,
  amount_cents bigint, paid_elsewhere_cents bigint)`

/** The first account from the line's number on. */
const accountOfLine = (company: CompanyId) => sql`(
      SELECT id, account_number FROM utility_account WHERE company_id = ${company} AND account_number >= x.account_number
      ORDER BY account_number LIMIT 1)`

interface Known {
  line: number
  account: string
  amount: number
  paid: number
  sameDates: boolean
  sameLines: boolean
}

/** What is here already under the bills' numbers, by line. */
async function compare(tx: Tx, company: CompanyId, bills: readonly ReadBill[]): Promise<Map<number, Known>> {
  const { rows } = await sql<Known>`
    SELECT x.line, a.account_number AS account, b.amount_cents AS amount, b.paid_elsewhere_cents AS paid, b.lines = x.lines AS "sameLines",
      (b.bill_date, b.due_date, b.period_start, b.period_end) = (x.bill_date, x.due_date, x.period_start, x.period_end) AS "sameDates"
    FROM ${rowsOf(bills)}
    CROSS JOIN LATERAL (
      SELECT * FROM utility_bill WHERE company_id = ${company} AND bill_number >= x.bill_number ORDER BY bill_number LIMIT 1) b
    CROSS JOIN LATERAL (
      SELECT * FROM utility_account WHERE company_id = ${company} AND id >= b.account_id ORDER BY id LIMIT 1) a
    WHERE b.bill_number = x.bill_number`.execute(tx)
  return new Map(rows.map((row) => [row.line, row]))
}

/** A bill that was issued is a document: what it says stays. Only what was received for it elsewhere goes on changing. */
function refusal(bill: ReadBill, known: Known): string | null {
  const what = `Bill ${bill.bill_number}`
  if (known.account !== bill.account_number) return `${what} belongs to account ${known.account} already.`
  if (known.amount !== bill.amount_cents)
    return `${what} is here with ${formatCents(known.amount)}, this line says ${formatCents(bill.amount_cents)}. A bill that was issued is not changed.`
  const differs = [known.sameDates ? '' : 'dates', known.sameLines ? '' : 'services'].filter(Boolean).join(' and ')
  return differs ? `${what} is here with other ${differs}. A bill that was issued is not changed.` : null
}

/** An account is described by its newest bill, so that the order of files and lines does not matter. */
function newestOfEach(bills: readonly ReadBill[]): ReadBill[] {
  const newest = new Map<string, ReadBill>()
  const age = (bill: ReadBill) => `${bill.bill_date} ${bill.bill_number}`
  for (const bill of bills) {
    const known = newest.get(bill.account_number)
    if (!known || age(bill) > age(known)) newest.set(bill.account_number, bill)
  }
  return [...newest.values()]
}

/** Unless a newer bill is here, which describes the account better. */
async function upsertAccounts(
  tx: Tx,
  company: CompanyId,
  bills: readonly ReadBill[],
  now: Date,
): Promise<{ created: boolean }[]> {
  const { rows } = await sql<{ created: boolean }>`
    INSERT INTO utility_account AS a
      (company_id, account_number, customer_name, customer_email, phone_no, service_address, city, state, zipcode, created_at)
    SELECT ${company}::int, x.account_number, x.customer_name, x.customer_email, x.phone_no, x.service_address, x.city, x.state, x.zipcode, ${now}
    FROM ${rowsOf(bills)}
    LEFT JOIN LATERAL ${accountOfLine(company)} known ON known.account_number = x.account_number
    LEFT JOIN LATERAL (
      SELECT account_id, bill_date FROM utility_bill WHERE company_id = ${company} AND account_id >= known.id
      ORDER BY account_id, bill_date DESC LIMIT 1) newest ON newest.account_id = known.id
    WHERE newest.bill_date IS NULL OR newest.bill_date <= x.bill_date
    ORDER BY x.account_number
    ON CONFLICT (company_id, account_number) DO UPDATE SET customer_name = excluded.customer_name,
      customer_email = excluded.customer_email, phone_no = excluded.phone_no, service_address = excluded.service_address,
      city = excluded.city, state = excluded.state, zipcode = excluded.zipcode
    WHERE (a.customer_name, a.customer_email, a.phone_no, a.service_address, a.city, a.state, a.zipcode)
      IS DISTINCT FROM (excluded.customer_name, excluded.customer_email, excluded.phone_no, excluded.service_address,
                        excluded.city, excluded.state, excluded.zipcode)
    RETURNING (xmax = 0) AS created`.execute(tx)
  return rows
}

async function upsertBills(tx: Tx, company: CompanyId, bills: readonly ReadBill[], now: Date): Promise<void> {
  await sql`
    INSERT INTO utility_bill AS b (company_id, account_id, bill_number, bill_date, due_date, period_start, period_end, lines,
                                   amount_cents, paid_elsewhere_cents, imported_at)
    SELECT ${company}::int, a.id, x.bill_number, x.bill_date, x.due_date, x.period_start, x.period_end, x.lines, x.amount_cents,
           x.paid_elsewhere_cents, ${now}
    FROM ${rowsOf(bills)}
    JOIN LATERAL ${accountOfLine(company)} a ON a.account_number = x.account_number
    ORDER BY x.line
    ON CONFLICT (company_id, bill_number) DO UPDATE SET paid_elsewhere_cents = excluded.paid_elsewhere_cents, imported_at = excluded.imported_at
    WHERE b.paid_elsewhere_cents <> excluded.paid_elsewhere_cents`.execute(tx)
}
