import type { PaidFor } from '../../../../server/cases/kinds.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { orderStatus, receiptNumber } from '../../rules.ts'

/**
 * Lists the payments of one item for the timeline of its case (`defineCase({ payments })`). Reads the orders each time,
 * so refunds appear automatically. Leaves out declined and abandoned payments.
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
    // A captured amount above the line's amount does not belong to this item.
    refundCents: paid_at === null ? 0 : Math.max(0, amount_cents - settled_cents),
    number: receiptNumber(order),
  }))
}
