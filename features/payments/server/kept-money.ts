import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { receiptNumber } from '../rules.ts'

/** Payments of a thing that still hold money for it, oldest first. */
export async function heldPayments(
  tx: Tx,
  company: CompanyId,
  kind: string,
  id: number,
): Promise<{ paymentId: number; cents: number }[]> {
  const rows = await tx
    .selectFrom('payment_order_line')
    .select(['order_id as paymentId', 'settled_cents as cents'])
    .where('company_id', '=', company)
    .where('kind', '=', kind)
    .where('payable_id', '=', id)
    .where('settled_cents', '>', 0)
    .orderBy('order_id')
    .execute()
  return rows
}

/**
 * What becomes of money when something that was paid ends: nothing, until staff refund it. Null if nothing was paid.
 * A requester who ends it reads whom to ask.
 */
export async function keptWords(
  tx: Tx,
  company: CompanyId,
  { kind, id, as }: { kind: string; id: number; as: 'staff' | 'requester' },
): Promise<string | null> {
  const held = await heldPayments(tx, company, kind, id)
  if (held.length === 0) return null
  const cents = formatCents(held.reduce((sum, payment) => sum + payment.cents, 0))
  const numbers = held.map(({ paymentId }) => receiptNumber(paymentId)).join(', ')
  return as === 'staff'
    ? say`${cents} stay paid (${numbers}). To give the money back, refund the payment.`
    : say`You paid ${cents} (${numbers}). This does not come back automatically: ask the municipality for a refund.`
}
