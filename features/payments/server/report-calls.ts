import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { csvDollars, csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import { allOf, walkOf } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { paymentDetails, paymentEvents, paymentReceipt, paymentReport, paymentReportCsv } from '../contract.ts'
import { locations, mayPrintReceipt, methodLabel, receiptNumber } from '../rules.ts'
import { orderStatusLabels } from '../states.ts'
import { ledgerAccounts, type LedgerAccount } from './ledger.ts'
import { providerOf } from './providers.ts'
import { drawReceipt } from './draw-receipt.ts'
import { type PaidOrder, paidOrders } from './orders.ts'
import { listOrders, PAYMENTS, reportConditions, type ReportQuery, reportRow } from './report.ts'
import { sumsOf } from './report-sums.ts'
import { lineOf } from './standing.ts'

export const paymentReportCall = implement(paymentReport, async (call) =>
  call.reading(async (tx) => {
    const { body, company } = call
    const [page, sums] = await Promise.all([
      listOrders(tx, company, body),
      body.totals ? sumsOf(tx, company, body) : { count: null, totals: null },
    ])
    return { ...page, rows: page.rows.map(reportRow), ...sums }
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
      ${text('payer_name')} AS "Payer", ${text('payer_email')} AS "Email", ${text('reference')} AS "Account",
      ${csvLabels('method', { 1: methodLabel(1), 2: methodLabel(2) })} AS "Method", ${text('means')} AS "Paid with",
      ${csvLabels('location', locations)} AS "Location", ${csvLabels('status', orderStatusLabels)} AS "Status",
      coalesce(return_code, '') AS "Return code",
      ${csvDollars('bill_cents')} AS "Amount", ${csvDollars('fee_cents')} AS "Fee", ${csvDollars('total_cents')} AS "Total",
      ${csvDollars(sql`refunded_bill_cents + refunded_fee_cents`)} AS "Refunded",
      ${csvDollars('refunded_bill_cents')} AS "Refunded amount", ${csvDollars('refunded_fee_cents')} AS "Refunded fee",
      ${csvDollars('kept_bill_cents')} AS "Kept amount", ${csvDollars('kept_fee_cents')} AS "Kept fee"
    FROM ${PAYMENTS} WHERE ${allOf(reportConditions(company, body))}
    ORDER BY ${column} ${way}, id ${way}`
}

export const paymentDetailsCall = implement(paymentDetails, async (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const order = await orderOf(tx, company.id, body.paymentId)
    const [steps, attempts, transfers, alerts] = await Promise.all([
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
        .selectFrom('payment_alert')
        .select(['at', 'message'])
        .where('company_id', '=', company.id)
        .where('order_id', '=', order.id)
        .where('code', 'not in', ['returned', 'disputed'])
        .orderBy('id')
        .execute(),
    ])
    const nameOf = (code: string) => ledgerAccounts[code as LedgerAccount]?.name ?? code
    return {
      payment: reportRow(order),
      quote: {
        billCents: order.bill_cents,
        feeCents: order.fee_cents,
        absorbedFeeCents: order.absorbed_fee_cents,
        totalCents: order.total_cents,
      },
      refundedCents: order.refunded_cents,
      returnCode: order.return_code,
      disputeOpen: order.dispute_open,
      alerts: alerts.map(({ at, message }) => ({ at: at.toISOString(), message })),
      lines: order.lines.map(lineOf),
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

/** A clerk prints the receipts of a day, and nobody by hand more than this. */
const receiptsPerPerson = defineLimit('receipt-staff', { most: 200, after: 'pause' })

export const paymentReceiptCall = implement(paymentReceipt, async (call) => {
  const { company, body, house } = call
  const who = `${company.id}/${signedIn(call).personId}`
  await countTry(house, [receiptsPerPerson(who)])
  const order = await call.inCompany(async (tx) => {
    const found = await orderOf(tx, company.id, body.paymentId)
    await call.audit(tx, { action: 'payment.receipt_printed', subject: { kind: 'payment', id: found.id } })
    return found
  })
  if (!mayPrintReceipt(order.status))
    throw conflict(
      'no_receipt',
      `A receipt is for successful payments; this one is ${orderStatusLabels[order.status] ?? 'not'}.`,
    )
  const stream = Readable.from([await drawReceipt(who, company, order, providerOf(house.config).test)])
  return { name: `receipt-${receiptNumber(order.id)}.pdf`, contentType: 'application/pdf', stream }
})

async function orderOf(tx: Tx, company: CompanyId, id: number): Promise<PaidOrder> {
  const order = await paidOrders(tx, company).where('o.id', '=', id).executeTakeFirst()
  if (!order) throw notFound('This payment was not found.')
  return order
}
