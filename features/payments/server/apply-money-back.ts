import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { book, bookDispute } from './book.ts'
import type { ChargeContext } from './charges.ts'
import { lockPayment } from './orders.ts'
import type { Dispute, Refund } from './provider.ts'

/**
 * Applies what the provider says of a refund: that it arrived, or that it came back. One that came back is booked both
 * ways, so that older news of it, applied later, change nothing.
 */
export async function applyRefund(
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  refund: Refund,
): Promise<void> {
  if (refund.status === 'pending') return
  await withOrder(context, company, attemptId, async (known) => {
    const comesBack = refund.status === 'failed'
    await book({ ...known, comesBack }, 'refund', refund.id, refund.amountCents, { named: refund.line })
    if (comesBack) await book(known, 'refund_failed', refund.id, refund.amountCents, { named: refund.line })
  })
}

/** Applies what the provider says of a dispute. Twice, or the end of it before its beginning, changes nothing. */
export async function applyDispute(
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  { id, amountCents, status }: Dispute,
): Promise<void> {
  const decided = status === 'won' || status === 'lost' ? status : null
  await withOrder(context, company, attemptId, (known) => bookDispute(known, id, amountCents, decided))
}

const withOrder = (
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  work: (known: ChargeContext) => Promise<void>,
) =>
  context.inCompany(company, async (tx) =>
    work({ context, tx, company, ...(await lockPayment(tx, company, attemptId)), intent: null }),
  )
