import { type RawBuilder, sql } from 'kysely'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { AnswerOf, BodyOf } from '../../../shared/endpoint.ts'
import { isCents, isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import type { Company } from '../../../server/hosts.ts'
import { allOf, countUpTo, walkOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { paymentReport } from '../contract.ts'
import { locations, mayPrintReceipt, methodLabel, orderStatusLabels, receiptNumber } from '../rules.ts'
import type { Order } from './orders.ts'

export type ReportQuery = BodyOf<typeof paymentReport>
export type ReportRow = AnswerOf<typeof paymentReport>['rows'][number]

/** What a search by text looks at: the newest this many matches. */
const MOST_MATCHES = 5000

/** The column that a sort walks, with the index behind it. Each is completed by the id, so that the order is total. */
const sortColumns = { date: sql.ref('created_at'), amount: sql.ref('total_cents') } as const

/** The report's conditions. The company's comes first; dates are the town's days, both ends included. */
export function reportConditions(company: Company, query: ReportQuery): RawBuilder<unknown>[] {
  const { fromDate, toDate, status, method, location } = query.filters
  const conditions = [sql`company_id = ${company.id}`]
  if (fromDate) conditions.push(sql`created_at >= ${midnightIn(company.timeZone, fromDate)}`)
  if (toDate) conditions.push(sql`created_at < ${midnightIn(company.timeZone, addDays(toDate, 1))}`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  if (location !== undefined) conditions.push(sql`location = ${location}`)
  if (query.search)
    conditions.push(sql`id = ANY (ARRAY(SELECT search_payment_orders(${query.search}, ${MOST_MATCHES})))`)
  return conditions
}

/** One page of orders, walked along an index from the cursor, with the cursors of its neighbours. */
export async function listOrders(tx: Tx, company: Company, query: ReportQuery) {
  const column = sortColumns[query.sort]
  const cursor = readCursor(query.cursor, query.sort === 'date' ? isInstant : isCents)
  const { way, beyond } = walkOf(query.direction, cursor)
  const conditions = reportConditions(company, query)
  if (cursor) {
    const value = query.sort === 'date' ? sql`${cursor.key}::timestamptz` : sql`${cursor.key}::bigint`
    conditions.push(sql`(${column}, id) ${beyond} (${value}, ${cursor.id})`)
  }
  const { rows } = await sql<Order>`
    SELECT * FROM payment_order WHERE ${allOf(conditions)}
    ORDER BY ${column} ${way}, id ${way} LIMIT ${query.pageSize + 1}`.execute(tx)
  return pageOf(rows, cursor, query.pageSize, (row) =>
    query.sort === 'date' ? row.created_at.toISOString() : String(row.total_cents),
  )
}

/** How many match, up to the cap. */
export const countOrders = (tx: Tx, company: Company, query: ReportQuery): Promise<number> =>
  countUpTo(tx, sql`SELECT 1 FROM payment_order WHERE ${allOf(reportConditions(company, query))}`)

/**
 * The totals of all that match, from the ledger: captures less what went back. Orders that never moved money
 * (declined, pending) add nothing, whatever their amounts say.
 */
export async function totalsOf(tx: Tx, company: Company, query: ReportQuery) {
  const { rows } = await sql<{ bill: number; fee: number }>`
    SELECT
      coalesce(sum(CASE WHEN t.credit_account = 'payable_municipality' THEN t.amount_cents
                        WHEN t.debit_account = 'payable_municipality' THEN -t.amount_cents END), 0)::bigint AS bill,
      coalesce(sum(CASE WHEN t.credit_account = 'fee_revenue' AND t.debit_account <> 'absorbed_fee' THEN t.amount_cents
                        WHEN t.debit_account = 'fee_revenue' AND t.credit_account <> 'absorbed_fee' THEN -t.amount_cents END), 0)::bigint AS fee
    FROM ledger_transfer t
    JOIN (SELECT id FROM payment_order WHERE ${allOf(reportConditions(company, query))}) o ON o.id = t.order_id
    WHERE t.company_id = ${company.id}`.execute(tx)
  const { bill = 0, fee = 0 } = rows[0] ?? {}
  return { amountCents: bill, feeCents: fee, totalCents: bill + fee }
}

/** An order as the report shows it, with what the viewer may do with it. */
export function reportRow(order: Order): ReportRow {
  return {
    id: order.id,
    receipt: receiptNumber(order.id),
    date: order.created_at.toISOString(),
    payer: order.payer_name,
    email: order.payer_email,
    accountNumber: order.account_number,
    type: 'Utility',
    method: methodLabel(order.method),
    means: order.means,
    location: locations[order.location] ?? '',
    paymentStatus:
      order.return_code && order.paid_at ? `Returned ${order.return_code}` : (orderStatusLabels[order.status] ?? ''),
    status: order.status,
    amountCents: order.bill_cents,
    feeCents: order.fee_cents,
    totalCents: order.total_cents,
    note: order.dispute_open ? 'Disputed' : order.refunded_cents > 0 && order.status === 1 ? 'Partly refunded' : '',
    can: { view: true, printReceipt: mayPrintReceipt(order.status) },
  }
}
