import { changeRow } from '../../../server/db/rows.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { methods, orderStatus } from '../rules.ts'
import { book } from './book.ts'
import type { ChargeContext as KnownPayment } from './charges.ts'
import { beginFee, feeCharged, feeFailed } from './own-fee.ts'
import { mailAcknowledgement, mailReceipt, mailReturn } from './emails.ts'
import { alertStaff, type Attempt, lockPayment, type LockedPayment, moveOrder, providerSays } from './orders.ts'
import type { Intent } from './provider.ts'

/**
 * Makes an attempt and its order agree with what the provider says of the charge: state, ledger, what was paid and mail
 * in one transaction. Every way by which news arrive (an answer, an event, the reconciler) ends here, and applying the
 * same snapshot again, or an older one later, changes nothing.
 */
export async function applyIntent(
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  intent: Intent,
): Promise<LockedPayment> {
  return context.inCompany(company, async (tx) => {
    const payment = await lockPayment(tx, company, attemptId)
    const known = { context, tx, company, ...payment, intent }
    const { step } = payment.attempt
    if (intent.status === 'succeeded') await capture(known)
    if (intent.status === 'returned') {
      await capture(known)
      await takeBack(known)
    }
    if (intent.status === 'canceled' && settled(payment.attempt))
      await book(known, 'void', intent.id, intent.amountCents)
    if (intent.status === 'failed' || intent.status === 'canceled') await giveUp(known)
    if (intent.status === 'processing' || intent.status === 'requires_action') await wait(known)
    // Asked, and nothing new was said.
    if (payment.attempt.step === step) await writeAttempt(known, {})
    return payment
  })
}

interface IntentContext extends KnownPayment {
  intent: Intent
}

const settled = (attempt: Attempt) => attempt.step === 'succeeded' || attempt.step === 'returned'

/** The money came. An order that we had given up is corrected to the provider's truth, and staff are told. */
async function capture(known: IntentContext): Promise<void> {
  const { context, tx, company, order, attempt, intent } = known
  if (settled(attempt)) return
  const before = order.status
  await finish(known, 1, 'succeeded')
  if (attempt.part === 'fee')
    return book(known, 'capture', intent.id, intent.amountCents, { beside: () => feeCharged(known) })
  const tell = (code: string, message: string) => alertStaff(tx, company, context.clock, order.id, code, message)
  const beside = async () => {
    if (before === orderStatus.success || before === orderStatus.refund)
      return tell('captured_twice', `A second charge (${intent.id}) of this payment succeeded. Refund it.`)
    if (before !== orderStatus.pending) await tell('corrected', 'A payment that was given up turned out to be paid.')
    await beginFee(known)
    return mailReceipt(known)
  }
  await book(known, 'capture', intent.id, intent.amountCents, { beside })
}

/** The bank took an eCheck back after it had been paid, and all of it, whatever was refunded of it. */
async function takeBack(known: IntentContext): Promise<void> {
  const { context, tx, company, order, attempt, intent } = known
  if (attempt.step === 'returned') return
  await finish(known, 2, 'returned')
  await book(known, 'return', intent.id, intent.amountCents)
  const code = intent.returnCode ?? 'no code'
  await alertStaff(tx, company, context.clock, order.id, 'returned', `The bank returned this eCheck (${code}).`)
  await mailReturn(known, intent.returnCode)
}

/** It did not happen: declined, or cancelled before it could. */
async function giveUp(known: IntentContext): Promise<void> {
  const { context, tx, company, order, attempt, intent } = known
  if (attempt.status !== 0) return
  await finish(known, 2, intent.status === 'failed' ? 'failed' : 'canceled')
  if (attempt.part === 'fee') return feeFailed(known)
  if (order.status === orderStatus.pending)
    await moveOrder(
      tx,
      company,
      order,
      orderStatus.declined,
      intent.status === 'failed' ? 'declined' : 'expired',
      { means: intent.means, return_code: intent.returnCode },
      providerSays(context.clock),
    )
}

/**
 * Still under way. The payer of an eCheck gets an acknowledgement, once: where they have to confirm their account first, when they
 * have.
 */
async function wait(known: IntentContext): Promise<void> {
  const { tx, company, order, attempt, intent } = known
  if (attempt.status !== 0) return
  const isOnItsWay = intent.status === 'processing' && intent.actionUrl === null
  const first = isOnItsWay && (attempt.step !== 'processing' || attempt.action_url !== null)
  await finish(known, 0, intent.status === 'processing' ? 'processing' : 'requires_action')
  if (!first || attempt.part === 'fee') return
  Object.assign(order, { means: intent.means })
  await changeRow(tx, 'payment_order', company, order.id, { means: intent.means })
  if (order.method === methods.echeck) await mailAcknowledgement(known)
}

const finish = (known: IntentContext, status: number, step: Attempt['step']): Promise<void> =>
  writeAttempt(known, {
    status,
    step,
    action_url: known.intent.actionUrl,
    error_code: known.intent.error?.code ?? null,
    error_message: known.intent.error?.message ?? null,
  })

async function writeAttempt({ context, tx, company, attempt }: IntentContext, facts: Partial<Attempt>): Promise<void> {
  const written = { ...facts, checked_at: context.clock.now() }
  await changeRow(tx, 'payment_attempt', company, attempt.id, written)
  Object.assign(attempt, written)
}
