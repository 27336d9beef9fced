import { changeRow } from '../../../server/db/rows.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { book } from './book.ts'
import type { LedgerAccount } from '../report.ts'
import { lockPayment, type PaidOrder } from './orders.ts'

export interface ReceivedPayment {
  attemptId: number
  /** By what it is known to whoever has the money: it is booked once. */
  ref: string
  /** How it was paid, as the receipt says it. */
  means: string
  /** Where the money is. */
  cash: LedgerAccount
}

/** Of money that no payment provider has to be asked for: a payment that was begun succeeds in the same transaction. */
export async function captureNow(
  tx: Tx,
  context: AppContext,
  company: Company,
  { attemptId, ref, means, cash }: ReceivedPayment,
): Promise<PaidOrder> {
  const payment = await lockPayment(tx, company.id, attemptId)
  const { order, attempt } = payment
  const done = { status: 1, step: 'succeeded', intent_id: ref, submitted_at: context.clock.now() } as const
  await changeRow(tx, 'payment_attempt', company.id, attempt.id, done)
  Object.assign(attempt, done)
  const known = { context, tx, company: company.id, ...payment, intent: { means, returnCode: null }, cash }
  await book(known, 'capture', ref, order.total_cents)
  return order
}
