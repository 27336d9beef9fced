import { changeRow } from '../../../../server/db/rows.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { book } from '../ledger/book.ts'
import type { LedgerAccount } from '../../rules-ledger.ts'
import { lockPayment, type PaidOrder } from '../orders/orders.ts'
import { attemptStatus } from '../../rules.ts'

export interface ReceivedPayment {
  attemptId: number
  /** Id that the source gave to the payment. It prevents recording the same payment twice. */
  ref: string
  /** Payment method label for the receipt. */
  methodLabel: string
  /** Ledger account that holds the money. */
  cash: LedgerAccount
}

/** Captures a started payment in the same transaction. Used for money that arrives without a payment provider. */
export async function captureNow(
  tx: Tx,
  context: AppContext,
  company: Company,
  { attemptId, ref, methodLabel, cash }: ReceivedPayment,
): Promise<PaidOrder> {
  const payment = await lockPayment(tx, company.id, attemptId)
  const { order, attempt } = payment
  const done = {
    status: attemptStatus.succeeded,
    step: 'succeeded',
    intent_id: ref,
    submitted_at: context.clock.now(),
  } as const
  await changeRow(tx, 'payment_attempt', company.id, attempt.id, done)
  Object.assign(attempt, done)
  const charge = { context, tx, company: company.id, ...payment, intent: { methodLabel, returnCode: null }, cash }
  await book(charge, 'capture', ref, order.total_cents)
  return order
}
