import type { AppContext } from '../../../../server/app-context.ts'
import type { CompanyId } from '../../../../server/tenancy.ts'
import { book, bookDispute } from './book.ts'
import type { ChargeContext } from './charges.ts'
import { lockPayment } from '../orders/orders.ts'
import { failRefunded } from './refund-rows.ts'
import type { Dispute, Refund } from '../providers/provider.ts'

/**
 * Applies the provider's state of a refund: completed or failed. A failed refund is recorded as a refund and its
 * reversal, so that older updates that arrive later change nothing.
 */
export async function applyRefund(
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  refund: Refund,
): Promise<void> {
  if (refund.status === 'pending') return
  await withOrder(context, company, attemptId, async (charge) => {
    const isFailedRefund = refund.status === 'failed'
    await book({ ...charge, isFailedRefund }, 'refund', refund.id, refund.amountCents, { named: refund.line })
    if (!isFailedRefund) return
    await book(charge, 'refund_failed', refund.id, refund.amountCents, { named: refund.line })
    await failRefunded(charge.tx, context.clock, company, charge.order.id, refund.id)
  })
}

/** Applies a dispute's state. A repeated state changes nothing. An early decision also records the start. */
export async function applyDispute(
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  { id, amountCents, status }: Dispute,
): Promise<void> {
  const decided = status === 'won' || status === 'lost' ? status : null
  await withOrder(context, company, attemptId, (charge) => bookDispute(charge, id, amountCents, decided))
}

const withOrder = (
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  work: (charge: ChargeContext) => Promise<void>,
) =>
  context.inCompany(company, async (tx) =>
    work({ context, tx, company, ...(await lockPayment(tx, company, attemptId)), intent: null }),
  )
