import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import { receiptNumber } from '../../rules.ts'

/** Lists the payments of an item that are not fully refunded, oldest first. */
export async function retainedPayments(
  tx: Tx,
  company: CompanyId,
  kind: string,
  id: number,
): Promise<{ paymentId: number; cents: number }[]> {
  return tx
    .selectFrom('payment_order_line')
    .select(['order_id as paymentId', 'settled_cents as cents'])
    .where('company_id', '=', company)
    .where('kind', '=', kind)
    .where('payable_id', '=', id)
    .where('settled_cents', '>', 0)
    .orderBy('order_id')
    .execute()
}

/**
 * Returns the message that money stays paid until staff refund it, after a paid item ends. Null if nothing was paid.
 * For a requester, the message also names the contact for a refund.
 */
export async function retainedMessage(
  tx: Tx,
  company: CompanyId,
  { kind, id, as }: { kind: string; id: number; as: 'staff' | 'requester' },
): Promise<string | null> {
  const retained = await retainedPayments(tx, company, kind, id)
  if (retained.length === 0) return null
  const cents = formatCents(retained.reduce((sum, payment) => sum + payment.cents, 0))
  const numbers = retained.map(({ paymentId }) => receiptNumber(paymentId)).join(', ')
  return as === 'staff'
    ? say`${cents} was paid (${numbers}) and has not been refunded. To return the money, refund the payment.`
    : say`You paid ${cents} (reference ${numbers}). This amount will not be refunded automatically. Ask the municipality for a refund.`
}
