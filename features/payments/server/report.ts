import { type RawBuilder, sql } from 'kysely'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { AnswerOf, BodyOf } from '../../../shared/endpoint.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import { pageOf, type Place, readCursor } from '../../../server/cursor.ts'
import { malformed } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
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

export const allOf = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` AND `)

/** The place from which the list goes on; a key that no sort of this list has is a made-up page, too. */
function placeIn(query: ReportQuery): Place | null {
  const place = readCursor(query.cursor)
  if (!place) return null
  const { key } = place
  if (typeof key === 'string' && (!Number.isNaN(Date.parse(key)) || /^\d+$/.test(key))) return place
  throw malformed('This page of the list is not known. Start again at its first page.')
}

/** One page of orders, walked along an index from the cursor, with the cursors of its neighbours. */
export async function listOrders(tx: Tx, company: Company, query: ReportQuery) {
  const column = sortColumns[query.sort]
  const cursor = placeIn(query)
  const back = cursor?.back ?? false
  const descending = (query.direction === 'desc') !== back
  const conditions = reportConditions(company, query)
  if (cursor) {
    const value = query.sort === 'date' ? sql`${cursor.key}::timestamptz` : sql`${cursor.key}::bigint`
    const beyond = descending ? sql.raw('<') : sql.raw('>')
    conditions.push(sql`(${column}, id) ${beyond} (${value}, ${cursor.id})`)
  }
  const way = descending ? sql.raw('DESC') : sql.raw('ASC')
  const { rows } = await sql<Order>`
    SELECT * FROM payment_order WHERE ${allOf(conditions)}
    ORDER BY ${column} ${way}, id ${way} LIMIT ${query.pageSize + 1}`.execute(tx)
  return pageOf(rows, cursor, query.pageSize, (row) =>
    query.sort === 'date' ? row.created_at.toISOString() : String(row.total_cents),
  )
}

/** How many match, counted up to the cap, so that the price of counting has an end. */
export async function countOrders(tx: Tx, company: Company, query: ReportQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (SELECT 1 FROM payment_order WHERE ${allOf(reportConditions(company, query))} LIMIT ${COUNT_CAP}) AS counted`.execute(
    tx,
  )
  return rows[0]?.n ?? 0
}

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
