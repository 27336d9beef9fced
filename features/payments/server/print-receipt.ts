import type { Call } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/words.ts'
import { mayPrintReceipt } from '../rules.ts'
import { orderStatusLabels } from '../states.ts'

/**
 * Records that a receipt is printed (spec 2.19).
 * @throws 409 if the payment is not successful
 */
export async function noteReceipt(tx: Tx, call: Call, { id, status }: { id: number; status: number }): Promise<void> {
  if (!mayPrintReceipt(status))
    throw conflict(
      'no_receipt',
      say`A receipt is for successful payments; this one is ${translated(orderStatusLabels[status] ?? 'not')}.`,
    )
  await call.audit(tx, { action: 'payment.receipt_printed', subject: { kind: 'payment', id } })
}
