import { Readable } from 'node:stream'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { historyOf, actorOf } from '../../../server/states.ts'
import { buttonsFrom, NEW } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { paymentEvents, paymentReceipt } from '../contract.ts'
import { paymentDetails } from '../list.ts'
import { feeStates, refundStates } from '../../payments/states.ts'
import { orderStatus, receiptNumber } from '../../payments/rules.ts'
import { orderStates, orderStatusLabels } from '../../payments/states.ts'
import { ledgerAccounts, type LedgerAccount } from '../../payments/rules-ledger.ts'
import { findOpenDispute, mayVoid } from '../../refunds/api.ts'
import {
  isTestPayment,
  renderReceipt,
  lineNoOf,
  noteReceipt,
  latestAttempt,
  movedOf,
  type PaidOrder,
  paidOrders,
  centsIn,
  leftOfLines,
  refundableCents,
  refundsOf,
  lineOf,
} from '../../payments/api.ts'
import { findReported } from './report.ts'

const UNKNOWN = 'This payment was not found.'

/** Live topic for new payments. */
export const paymentEventsCall = implement(paymentEvents, async () => ({ topic: 'payments' as const, id: 0 }))

export const paymentDetailsCall = implement(paymentDetails, async (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const order = await orderOf(tx, company.id, body.paymentId)
    const [refundDetails, payment, steps, attempts, transfers, alerts] = await Promise.all([
      refundDetailsOf(call, tx, order),
      findReported(tx, call, order.id),
      historyOf(tx, orderStates, company.id, order.id).execute(),
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
    if (!payment) throw notFound(UNKNOWN)
    const labelOf = (state: string) => (state === NEW ? undefined : orderStatusLabels[Number(state)])
    const nameOf = (code: string) => ledgerAccounts[code as LedgerAccount]?.name ?? code
    return {
      payment,
      method: order.method,
      ...refundDetails,
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
        from: labelOf(step.from_state) ?? null,
        to: labelOf(step.to_state) ?? '',
      })),
      attempts: attempts.map((attempt) => ({
        no: attempt.attempt_no,
        part: attempt.part,
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
        lineNo: transfer.line_no,
      })),
    }
  }),
)

/** Loads the refunds of a payment and the amount that the viewer may still refund. */
async function refundDetailsOf(call: Call, tx: Tx, order: PaidOrder) {
  const { company } = call
  const { kind, personId, privileges } = signedIn(call)
  const rows = await refundsOf(tx, company.id, order.id)
  const attempt = await latestAttempt(tx, company.id, order.id)
  const { moved } = await tx.selectNoFrom(movedOf(company.id, order.id).as('moved')).executeTakeFirstOrThrow()
  const leftCents = Math.max(0, refundableCents(moved, rows))
  const entitled = kind === 'municipality' && may(privileges, 'payments', 'update')
  const open = entitled && order.status === orderStatus.success && !order.dispute_open && leftCents > 0
  const whole = open && leftCents === centsIn('bill', order) && attempt !== undefined
  return {
    leftCents,
    leftOfLines: [...leftOfLines({ order, moved }, rows)].map(([no, cents]) => ({ no, leftCents: cents })),
    can: {
      refund: open,
      void: whole && (await mayVoid(call, tx, { order, attempt })),
      respondToDispute: entitled && (await findOpenDispute(call.context, tx, company.id, order)) !== null,
    },
    separateFee: order.fee && {
      status: order.fee.status,
      cents: order.fee.amount_cents,
      can: whatCanBeDone(
        entitled && order.status === orderStatus.success,
        buttonsFrom(feeStates, order.fee.status, actorOf(call)),
      ),
    },
    refunds: rows.map((row) => {
      const { approve, decline } = buttonsFrom(refundStates, row.status, actorOf(call))
      return {
        id: row.id,
        kind: row.kind,
        amountCents: row.amount_cents,
        line: row.line_no,
        status: row.status,
        reason: row.reason,
        note: row.note,
        requestedAt: row.requested_at.toISOString(),
        requestedBy: row.requested_by_name,
        decidedBy: row.decided_by_name,
        can: { approve: entitled && approve && row.requested_by !== personId, decline: entitled && decline },
      }
    }),
  }
}

const whatCanBeDone = (entitled: boolean, { again, waive }: Record<'again' | 'waive', boolean>) => ({
  again: entitled && again,
  waive: entitled && waive,
})

/** Rate limit per staff member. It is high enough to print the receipts of a whole day one by one. */
const receiptsPerPerson = defineLimit('receipt-staff', { max: 200, after: 'pause' })

export const paymentReceiptCall = implement(paymentReceipt, async (call) => {
  const { company, body, context } = call
  const limitKey = `${company.id}/${signedIn(call).personId}`
  await countAttempt(context, [receiptsPerPerson(limitKey)])
  const { order, test } = await call.inCompany(async (tx) => {
    const storedOrder = await orderOf(tx, company.id, body.paymentId)
    await noteReceipt(tx, call, storedOrder)
    return { order: storedOrder, test: await isTestPayment(context, tx, company.id, { orderId: storedOrder.id }) }
  })
  const line = lineNoOf(order, body.line)
  const stream = Readable.from([await renderReceipt(limitKey, company, order, test, line, body.format)])
  return { name: `receipt-${receiptNumber(order.id, line)}.pdf`, contentType: 'application/pdf', stream }
})

async function orderOf(tx: Tx, company: CompanyId, id: number): Promise<PaidOrder> {
  const order = await paidOrders(tx, company).where('o.id', '=', id).executeTakeFirst()
  if (!order) throw notFound(UNKNOWN)
  return order
}
