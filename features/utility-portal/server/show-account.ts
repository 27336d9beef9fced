import { type Selectable, sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import { mayPrintReceipt, receiptNumber } from '../../payments/rules.ts'
import { utilityBills } from '../../utility-accounts/api.ts'
import { showAccount } from '../contract.ts'
import { adjustmentsOf, billsOf, adjustmentView, billView } from './bills.ts'
import { findLinked, withOwed } from './linked.ts'
import { settingsOf } from './save-account.ts'
import { usesOf } from './uses.ts'

/** Loads one year of an account, because the page shows the bills and payments of one year. */
export const showAccountCall = implement(showAccount, (call) => {
  const { company, body, context } = call
  const person = signedIn(call).personId
  const account = body.accountId
  const today = dateIn(company.timeZone, context.clock.now())
  return call.reading(async (tx) => {
    const linked = await findLinked(tx, { company: company.id, person, account }, today)
    const years = await yearsOf(tx, company, account)
    const year = body.year ?? years[0] ?? Number(today.slice(0, 4))
    const [accountView, bills, adjusted, payments] = await Promise.all([
      withOwed(tx, company.id, person, linked),
      billsOf(tx, company.id, account, `${year}-01-01`, `${year}-12-31`),
      adjustmentsOf(tx, company.id, account, `${year}-01-01`, `${year}-12-31`),
      paymentsOf(tx, company, { account, person, year }),
    ])
    const [measured] = await usesOf(tx, company.id, account, addDays(today, -400), bills)
    const unit = measured?.unit ?? ''
    return {
      account: accountView,
      settings: settingsOf(linked),
      unit,
      year,
      years,
      bills: bills.map(billView),
      adjustments: adjusted.map(adjustmentView),
      payments,
    }
  })
})

async function yearsOf(tx: Tx, { id, timeZone }: Company, account: number): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    SELECT extract(year FROM bill_date)::int AS year FROM utility_bill WHERE company_id = ${id} AND account_id = ${account}
    UNION SELECT extract(year FROM o.created_at AT TIME ZONE ${timeZone})::int
    FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
    WHERE l.company_id = ${id} AND l.kind = ${utilityBills.kind} AND l.payable_id = ${account}
    ORDER BY year DESC`.execute(tx)
  return rows.map(({ year }) => year)
}

type Order = Pick<
  Selectable<Schema['payment_order']>,
  'id' | 'created_at' | 'paid_at' | 'total_cents' | 'method_label' | 'status' | 'person_id'
>
type PaidOrder = Order & { amount_cents: number; is_alone: boolean }

/**
 * Lists the payments for the account by all payers. Hides the payment method and the receipt unless `maySeePayment`
 * returns true.
 */
async function paymentsOf(tx: Tx, { id, timeZone }: Company, of: { account: number; person: number; year: number }) {
  const { rows } = await sql<PaidOrder>`
    SELECT o.id, o.created_at, o.paid_at, o.total_cents, o.method_label, o.status, o.person_id, l.amount_cents,
      NOT EXISTS (SELECT FROM payment_order_line x WHERE x.company_id = l.company_id AND x.order_id = l.order_id AND x.line_no <> l.line_no) AS is_alone
    FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
    WHERE l.company_id = ${id} AND l.kind = ${utilityBills.kind} AND l.payable_id = ${of.account}
      AND o.created_at >= ${midnightIn(timeZone, `${of.year}-01-01`)} AND o.created_at < ${midnightIn(timeZone, `${of.year + 1}-01-01`)}
    ORDER BY o.created_at DESC, o.id DESC`.execute(tx)
  return rows.map((row) => {
    const isOwn = maySeePayment(row, of.person)
    return {
      id: row.id,
      receipt: receiptNumber(row.id),
      at: (row.paid_at ?? row.created_at).toISOString(),
      amountCents: row.amount_cents,
      totalCents: row.total_cents,
      methodLabel: isOwn ? row.method_label : '',
      status: row.status,
      can: { print: isOwn && mayPrintReceipt(row.status) },
    }
  })
}

/**
 * Returns true if the person may see the details of a payment. A guest who paid only for this account may be anyone in
 * the household. If a guest also paid for other items, the details stay hidden.
 */
export const maySeePayment = (paid: { person_id: number | null; is_alone: boolean }, person: number): boolean =>
  paid.person_id === person || (paid.person_id === null && paid.is_alone)
