import { sql } from 'kysely'
import { csvLabels } from '../../../server/csv.ts'
import type { Source } from '../../../server/list-source.ts'
import { implementList, rowsOf } from '../../../server/list.ts'
import { paymentReport } from '../list.ts'
import { locations, mayPrintReceipt, methodLabels, orderStatus } from '../../payments/rules.ts'
import { orderStatusLabels } from '../../payments/states.ts'
import { sumsOf } from './report-sums.ts'
import { declinedOrders, disputedOrders, IS_CHARGED_BACK } from './problem-payments.ts'

type Report = typeof paymentReport

const statusLabel = sql`CASE WHEN ${IS_CHARGED_BACK} THEN 'Chargeback' ELSE ${csvLabels('r.status', orderStatusLabels)} END`

/** Data source of the report: the searchable payments of the company. */
const source: Source<Report['columns'], Report['filters']> = {
  table: sql`found_payment_order`,
  columns: {
    receipt: sql`'P' || r.id`,
    date: 'created_at',
    payer: 'payer_name',
    email: 'payer_email',
    accountNumber: 'reference',
    type: 'type',
    method: csvLabels('r.method', methodLabels),
    methodLabel: 'method_label',
    location: sql`coalesce(${csvLabels('r.location', locations)}, '')`,
    paymentStatus: sql`CASE WHEN r.return_code IS NOT NULL AND r.paid_at IS NOT NULL THEN 'Returned ' || r.return_code ELSE ${statusLabel} END`,
    returnCode: sql`coalesce(r.return_code, '')`,
    status: 'status',
    note: sql`CASE WHEN r.dispute_open THEN 'Disputed' WHEN EXISTS (SELECT FROM payment_fee f
      WHERE f.company_id = r.company_id AND f.id = r.id AND f.status = 'owed') THEN 'Service fee owed' WHEN r.refunded_cents > 0 AND r.status = ${sql.lit(orderStatus.success)} THEN 'Partly refunded' ELSE '' END`,
    separateFee: sql`coalesce((SELECT f.status FROM payment_fee f WHERE f.company_id = r.company_id AND f.id = r.id AND f.status <> 'charged'), '')`,
    amountCents: 'bill_cents',
    feeCents: 'fee_cents',
    totalCents: 'total_cents',
    refundedCents: sql`(r.refunded_bill_cents + r.refunded_fee_cents)`,
    refundedAmountCents: 'refunded_bill_cents',
    refundedFeeCents: 'refunded_fee_cents',
    retainedAmountCents: 'net_bill_cents',
    retainedFeeCents: 'net_fee_cents',
  },
  csv: { paymentStatus: statusLabel },
  filters: {
    status: (status) => sql`r.status = ${status}`,
    method: (method) => sql`r.method = ${method}`,
    location: (location) => sql`r.location = ${location}`,
    declined: (reason, { company }) => sql`r.id IN (${declinedOrders(company?.id, reason)})`,
    returned: (code) => sql`r.return_code = ${code} AND r.return_code IS NOT NULL`,
    // Most separate fees are charged, so the query for charged fees reads payments in the report's sort order. Fees in
    // other states are rare, so the query finds their orders by id.
    fee: (status, { company }) =>
      status === 'charged'
        ? sql`EXISTS (SELECT FROM payment_fee f WHERE f.company_id = r.company_id AND f.id = r.id AND f.status = 'charged')`
        : sql`r.id = ANY (ARRAY(SELECT f.id FROM payment_fee f WHERE f.company_id = ${company?.id} AND f.status = ${status}))`,
    disputed: (state, { company }) => sql`r.id IN (${disputedOrders(company?.id, state)})`,
  },
  search: sql`r.search_text`,
  unindexed: {
    status: 'Few payments are neither paid nor declined, and the search for them is limited to some days.',
    location: 'Nearly all payments use two or three locations.',
    method: 'Nearly all payments are by card or eCheck.',
  },
  totals: {
    amountCents: sql`r.net_bill_cents`,
    feeCents: sql`r.net_fee_cents`,
    totalCents: sql`r.net_bill_cents + r.net_fee_cents`,
  },
  sums: sumsOf,
  row: ({ status }) => ({ can: { view: true, printReceipt: mayPrintReceipt(status) } }),
  exported: 'export.payments',
}

export const reportCalls = implementList(paymentReport, source)

/** Loads one payment as a row of the report. */
export const findReported = rowsOf(paymentReport, source)
