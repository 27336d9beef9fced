import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { csvDollars, csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { allOf, walkOf } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { paymentDetails, paymentEvents, paymentReceipt, paymentReport, paymentReportCsv } from '../contract.ts'
import { locations, mayPrintReceipt, methodLabel, orderStatusLabels, receiptNumber } from '../rules.ts'
import { ledgerAccounts, type LedgerAccount } from './ledger.ts'
import { providerOf } from './providers.ts'
import { receiptPdf } from './receipt-pdf.ts'
import { findOrder, type Order } from './orders.ts'
import { countOrders, listOrders, reportConditions, type ReportQuery, reportRow, totalsOf } from './report.ts'

export const paymentReportCall = implement(paymentReport, async (call) =>
  call.inCompany(async (tx) => {
    const { body, company } = call
    const [page, count, totals] = await Promise.all([
      listOrders(tx, company, body),
      countOrders(tx, company, body),
      totalsOf(tx, company, body),
    ])
    return { ...page, rows: page.rows.map(reportRow), count, totals }
  }),
)

/** New payments, live. */
export const paymentEventsCall = implement(paymentEvents, async () => ({ topic: 'payments' as const, id: 0 }))

export const paymentReportCsvCall = implement(paymentReportCsv, async (call) => {
  const { body, company, house } = call
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.payments', detail: { filters: body.filters, search: body.search } }),
  )
  return csvOf(house, company, 'payments', csvQuestion(call))
})

const text = (column: string) => csvText(sql.ref(column))

function csvQuestion({ body, company }: Call<ReportQuery>) {
  const { way } = walkOf(body.direction)
  const column = body.sort === 'date' ? sql.ref('created_at') : sql.ref('total_cents')
  return sql`
    SELECT 'P' || id AS "Receipt",
      to_char(created_at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI') AS "Date",
      ${text('payer_name')} AS "Payer", ${text('payer_email')} AS "Email", ${text('account_number')} AS "Account",
      ${csvLabels('method', { 1: methodLabel(1), 2: methodLabel(2) })} AS "Method", ${text('means')} AS "Paid with",
      ${csvLabels('location', locations)} AS "Location", ${csvLabels('status', orderStatusLabels)} AS "Status",
      coalesce(return_code, '') AS "Return code",
      ${csvDollars('bill_cents')} AS "Amount", ${csvDollars('fee_cents')} AS "Fee", ${csvDollars('total_cents')} AS "Total",
      ${csvDollars('refunded_cents')} AS "Refunded"
    FROM payment_order WHERE ${allOf(reportConditions(company, body))}
    ORDER BY ${column} ${way}, id ${way}`
}

export const paymentDetailsCall = implement(paymentDetails, async (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const order = await orderOf(tx, company.id, body.paymentId)
    const [steps, attempts, transfers, account] = await Promise.all([
      tx
        .selectFrom('order_status_history')
        .selectAll()
        .where('company_id', '=', company.id)
        .where('order_id', '=', order.id)
        .orderBy('seq')
        .execute(),
      tx
        .selectFrom('payment_attempt')
        .selectAll()
        .where('company_id', '=', company.id)
        .where('order_id', '=', order.id)
        .orderBy('attempt_no')
        .execute(),
      tx
        .selectFrom('ledger_transfer')
        .selectAll()
        .where('company_id', '=', company.id)
        .where('order_id', '=', order.id)
        .orderBy('id')
        .execute(),
      tx
        .selectFrom('utility_account')
        .selectAll()
        .where('company_id', '=', company.id)
        .where('id', '=', order.account_id)
        .executeTakeFirstOrThrow(),
    ])
    const nameOf = (code: string) => ledgerAccounts[code as LedgerAccount]?.name ?? code
    return {
      payment: reportRow(order),
      serviceAddress: `${account.service_address}, ${account.city}, ${account.state} ${account.zipcode}`,
      quote: {
        billCents: order.bill_cents,
        feeCents: order.fee_cents,
        absorbedFeeCents: order.absorbed_fee_cents,
        totalCents: order.total_cents,
      },
      refundedCents: order.refunded_cents,
      returnCode: order.return_code,
      disputeOpen: order.dispute_open,
      lines: order.bill_lines,
      steps: steps.map((step) => ({
        at: step.at.toISOString(),
        event: step.event,
        from: orderStatusLabels[step.from_status] ?? null,
        to: orderStatusLabels[step.to_status] ?? '',
      })),
      attempts: attempts.map((attempt) => ({
        no: attempt.attempt_no,
        at: attempt.created_at.toISOString(),
        step: attempt.step,
        reference: attempt.intent_id,
        error: attempt.error_message,
      })),
      transfers: transfers.map((transfer) => ({
        at: transfer.at.toISOString(),
        debit: nameOf(transfer.debit_account),
        credit: nameOf(transfer.credit_account),
        amountCents: transfer.amount_cents,
        kind: transfer.kind,
      })),
    }
  }),
)

export const paymentReceiptCall = implement(paymentReceipt, async (call) => {
  const { company, body, house } = call
  const order = await call.inCompany(async (tx) => {
    await orderOf(tx, company.id, body.paymentId)
    const found = await findOrder(tx, company.id, body.paymentId)
    await call.audit(tx, { action: 'payment.receipt_printed', subject: String(found.id) })
    return found
  })
  if (!mayPrintReceipt(order.status))
    throw conflict(
      'no_receipt',
      `A receipt is for successful payments; this one is ${orderStatusLabels[order.status] ?? 'not'}.`,
    )
  const stream = receiptPdf(company, order, providerOf(house.config).test) as unknown as Readable
  return { name: `receipt-${receiptNumber(order.id)}.pdf`, contentType: 'application/pdf', stream }
})

async function orderOf(tx: Tx, company: CompanyId, id: number): Promise<Order> {
  const order = await tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!order) throw notFound('This payment was not found.')
  return order
}
