import type { PaidFor } from '../../../../server/cases/kinds.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import { orderStatus, receiptNumber } from '../../rules.ts'

/**
 * Lists the payments of one item for the timeline of its case (`defineCase({ payments })`). Reads the current orders
 * each time, so refunds appear automatically. Leaves out declined and abandoned payments.
 */
export async function paidFor(tx: Tx, company: CompanyId, kind: string, id: number): Promise<PaidFor[]> {
  const lines = await tx
    .selectFrom('payment_order_line as l')
    .innerJoin('payment_order as o', (join) =>
      join.onRef('o.company_id', '=', 'l.company_id').onRef('o.id', '=', 'l.order_id'),
    )
    .where('l.company_id', '=', company)
    .where('l.kind', '=', kind)
    .where('l.payable_id', '=', id)
    .where((e) => e.or([e('o.status', '=', orderStatus.pending), e('o.paid_at', 'is not', null)]))
    .select(['o.id', 'o.payer_name', 'o.created_at', 'o.paid_at', 'l.amount_cents', 'l.settled_cents'])
    .orderBy('o.id')
    .execute()
  return lines.map(({ id: order, payer_name, created_at, paid_at, amount_cents, settled_cents }) => ({
    at: paid_at ?? created_at,
    by: payer_name,
    state: paid_at === null ? 'pending' : settled_cents > 0 ? 'paid' : 'refunded',
    cents: amount_cents,
    // If the payer was charged more than the line's amount, the excess does not belong to this item.
    refundCents: paid_at === null ? 0 : Math.max(0, amount_cents - settled_cents),
    number: receiptNumber(order),
  }))
}

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
 * Returns the message for an ended item that was paid: the company has the money until staff refund it. Null if nothing
 * was paid. For a requester, the message also names the contact for a refund.
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
    : say`You paid ${cents} (reference ${numbers}). This amount will not be refunded automatically. To request a refund, contact us.`
}
