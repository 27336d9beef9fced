import type { Call } from '../../../../server/call.ts'
import { conflict, notFound } from '../../../../server/errors.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { say, translated } from '../../../../shared/messages.ts'
import type { PaidOrder } from '../orders/orders.ts'
import { mayPrintReceipt } from '../../rules.ts'
import { orderStatusLabels } from '../../states.ts'

/**
 * Records that a receipt is printed (spec 2.19).
 * @throws 409 if the payment is not successful
 */
export async function noteReceipt(tx: Tx, call: Call, { id, status }: { id: number; status: number }): Promise<void> {
  if (!mayPrintReceipt(status))
    throw conflict(
      'no_receipt',
      say`You can print receipts only for successful payments. The status of this payment is “${translated(orderStatusLabels[status] ?? 'not')}”.`,
    )
  await call.audit(tx, { action: 'payment.receipt_printed', subject: { kind: 'payment', id } })
}

/** Returns the line number if the receipt is for one line. Undefined if the receipt covers the entire payment. */
export function lineNoOf({ lines }: PaidOrder, no: string | number | undefined): number | undefined {
  if (no === undefined) return undefined
  const line = lines.find(({ line_no }) => String(line_no) === String(no))
  if (!line) throw notFound('This payment does not have this line item.')
  return line.line_no
}
