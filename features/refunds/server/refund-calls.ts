import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { csvLabels } from '../../../server/csv.ts'
import { conflict } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { RefundStatus } from '../../payments/states.ts'
import { refundStates } from '../../payments/states.ts'
import { decideRefund, refundKinds, refundPayment, voidPayment } from '../contract.ts'
import { refundList } from '../list.ts'
import { requestRefund, decide } from './request-refund.ts'
import type { RefundRow } from '../../payments/api.ts'
import { describeRefund, sendRefund } from './send-refund.ts'

/**
 * Builds the response with the result of a refund.
 * @throws 409 if the refund failed, so that it does not look completed
 */
function responseOf(row: RefundRow): ResponseOf<typeof refundPayment> {
  const message = describeRefund(row)
  if (row.status === 'failed') throw conflict('not_refunded', message)
  return { success: true, message, status: row.status as RefundStatus }
}

const resumeRefund = async (call: Call, row: RefundRow) =>
  responseOf(await sendRefund(call.context, call.company.id, row.id))

export const refundCalls = [
  implement(refundPayment, async (call) => {
    const { paymentId: orderId, ...request } = call.body
    return resumeRefund(call, await requestRefund(call, { ...request, orderId, kind: 'refund' }))
  }),
  implement(voidPayment, async (call) => {
    const { paymentId: orderId, reason, basis } = call.body
    return resumeRefund(
      call,
      await requestRefund(call, { orderId, kind: 'void', amountCents: null, line: null, reason, basis }),
    )
  }),
  implement(decideRefund, async (call) => {
    const { refundId, event, reason } = call.body
    return resumeRefund(call, await decide(call, refundId, event, reason))
  }),
  ...implementList(refundList, {
    table: sql`payment_refund`,
    joins: sql`LEFT JOIN payment_order o ON o.company_id = r.company_id AND o.id = r.order_id`,
    columns: {
      receipt: sql`'P' || r.order_id`,
      paymentId: 'order_id',
      requestedAt: 'requested_at',
      kind: 'kind',
      payer: sql`o.payer_name`,
      amountCents: 'amount_cents',
      status: 'status',
      requestedBy: 'requested_by_name',
      decidedBy: 'decided_by_name',
      reason: 'reason',
      note: 'note',
    },
    csv: { kind: csvLabels('r.kind', refundKinds), status: csvLabels('r.status', refundStates.labels) },
    filters: { status: (status) => sql`r.status = ${status}` },
    countAlong: sql`r.requested_at DESC, r.id DESC`,
    row: () => ({ can: { view: true } }),
    exported: 'export.refunds',
  }),
]
