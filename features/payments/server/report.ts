import { type RawBuilder, sql } from 'kysely'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { AnswerOf, BodyOf } from '../../../shared/endpoint.ts'
import { isCents, isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import type { Company } from '../../../server/hosts.ts'
import { allOf, walkOf, wordsOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { paymentReport } from '../contract.ts'
import { locations, mayPrintReceipt, methodLabel, receiptNumber } from '../rules.ts'
import { orderStatusLabels } from '../states.ts'
import type { Order } from './orders.ts'

export type ReportQuery = Omit<BodyOf<typeof paymentReport>, 'totals'>
export type ReportRow = AnswerOf<typeof paymentReport>['rows'][number]

/** The column that a sort walks, with the index behind it. Each is completed by the id, so that the order is total. */
const sortColumns = { date: sql.ref('created_at'), amount: sql.ref('total_cents') } as const

/** The town's payments, as they can be searched. */
export const PAYMENTS = sql`found_payment_order`

/** The report's conditions. The company's comes first; dates are the town's days, both ends included. */
export function reportConditions(company: Company, query: ReportQuery): RawBuilder<unknown>[] {
  const { fromDate, toDate, status, method, location } = query.filters
  const conditions = [sql`company_id = ${company.id}`]
  if (fromDate) conditions.push(sql`created_at >= ${midnightIn(company.timeZone, fromDate)}`)
  if (toDate) conditions.push(sql`created_at < ${midnightIn(company.timeZone, addDays(toDate, 1))}`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  if (location !== undefined) conditions.push(sql`location = ${location}`)
  for (const word of wordsOf(query.search)) conditions.push(sql`search_text LIKE like_part(${word})`)
  return conditions
}

/** What a row of the report is made of. An order has three times as much, and reading it all takes as long as finding it. */
const reported = [
  'id',
  'created_at',
  'payer_name',
  'payer_email',
  'reference',
  'type',
  'method',
  'means',
  'location',
  'status',
  'return_code',
  'paid_at',
  'bill_cents',
  'fee_cents',
  'total_cents',
  'dispute_open',
  'refunded_cents',
] as const satisfies (keyof Order)[]
type ReportedOrder = Pick<Order, (typeof reported)[number]>

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
  const { rows } = await sql<ReportedOrder>`
    SELECT ${sql.join(reported.map((name) => sql.ref(name)))} FROM ${PAYMENTS} WHERE ${allOf(conditions)}
    ORDER BY ${column} ${way}, id ${way} LIMIT ${query.pageSize + 1}`.execute(tx)
  return pageOf(rows, cursor, query.pageSize, (row) =>
    query.sort === 'date' ? row.created_at.toISOString() : String(row.total_cents),
  )
}

/** An order as the report shows it, with what the viewer may do with it. */
export function reportRow(order: ReportedOrder): ReportRow {
  return {
    id: order.id,
    receipt: receiptNumber(order.id),
    date: order.created_at.toISOString(),
    payer: order.payer_name,
    email: order.payer_email,
    accountNumber: order.reference,
    type: order.type,
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
