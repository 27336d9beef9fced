import { changeRow } from '../../../../server/db/rows.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { CompanyId } from '../../../../server/tenancy.ts'
import { methods, orderStatus, attemptStatus } from '../../rules.ts'
import { book } from '../ledger/book.ts'
import type { ChargeContext } from '../ledger/charges.ts'
import { startFee, recordFeeCharged, recordFeeFailed } from './separate-fee.ts'
import { emailAcknowledgement, emailReceipt, emailReturn } from '../emails/emails.ts'
import {
  alertStaff,
  type Attempt,
  lockPayment,
  type LockedPayment,
  moveOrder,
  providerActor,
} from '../orders/orders.ts'
import type { Intent } from '../providers/provider.ts'

/**
 * Updates an attempt and its order to the provider's state of the charge. Writes state, ledger, settled amounts and
 * emails in one transaction. Responses, events and the reconciler all use this function. A repeated state, or an older
 * state that arrives late, changes nothing.
 */
export async function applyIntent(
  context: AppContext,
  company: CompanyId,
  attemptId: number,
  intent: Intent,
): Promise<LockedPayment> {
  return context.inCompany(company, async (tx) => {
    const payment = await lockPayment(tx, company, attemptId)
    const intentContext = { context, tx, company, ...payment, intent }
    const { step } = payment.attempt
    if (intent.status === 'succeeded') await capture(intentContext)
    if (intent.status === 'returned') {
      await capture(intentContext)
      await returnPayment(intentContext)
    }
    if (intent.status === 'canceled' && isCaptured(payment.attempt))
      await book(intentContext, 'void', intent.id, intent.amountCents)
    if (intent.status === 'failed' || intent.status === 'canceled') await giveUp(intentContext)
    if (intent.status === 'processing' || intent.status === 'requires_action') await wait(intentContext)
    // The provider reported nothing new, so only the time of this check is saved.
    if (payment.attempt.step === step) await writeAttempt(intentContext, {})
    return payment
  })
}

interface IntentContext extends ChargeContext {
  intent: Intent
}

const isCaptured = (attempt: Attempt) => attempt.step === 'succeeded' || attempt.step === 'returned'

/** Records the captured money. If the order was already cancelled, corrects its state and notifies staff. */
async function capture(intentContext: IntentContext): Promise<void> {
  const { context, tx, company, order, attempt, intent } = intentContext
  if (isCaptured(attempt)) return
  const before = order.status
  await finish(intentContext, attemptStatus.succeeded, 'succeeded')
  if (attempt.part === 'fee')
    return book(intentContext, 'capture', intent.id, intent.amountCents, {
      beside: () => recordFeeCharged(intentContext),
    })
  const raiseAlert = (code: string, message: string) => alertStaff(tx, company, context.clock, order.id, code, message)
  const beside = async () => {
    if (before === orderStatus.success || before === orderStatus.refund)
      return raiseAlert('captured_twice', `A second charge (${intent.id}) of this payment succeeded. Refund it.`)
    if (before !== orderStatus.pending)
      await raiseAlert('corrected', 'A payment that was given up turned out to be paid.')
    await startFee(intentContext)
    return emailReceipt(intentContext)
  }
  await book(intentContext, 'capture', intent.id, intent.amountCents, { beside })
}

/** Records that the bank returned a paid eCheck. A return is always for the full amount, even after refunds. */
async function returnPayment(intentContext: IntentContext): Promise<void> {
  const { context, tx, company, order, attempt, intent } = intentContext
  if (attempt.step === 'returned') return
  await finish(intentContext, attemptStatus.failed, 'returned')
  await book(intentContext, 'return', intent.id, intent.amountCents)
  const code = intent.returnCode ?? 'no code'
  await alertStaff(tx, company, context.clock, order.id, 'returned', `The bank returned this eCheck (${code}).`)
  await emailReturn(intentContext, intent.returnCode)
}

/** Records a charge that was declined or cancelled. */
async function giveUp(intentContext: IntentContext): Promise<void> {
  const { context, tx, company, order, attempt, intent } = intentContext
  if (attempt.status !== attemptStatus.pending) return
  await finish(intentContext, attemptStatus.failed, intent.status === 'failed' ? 'failed' : 'canceled')
  if (attempt.part === 'fee') return recordFeeFailed(intentContext)
  if (order.status === orderStatus.pending)
    await moveOrder(
      tx,
      company,
      order,
      orderStatus.declined,
      intent.status === 'failed' ? 'declined' : 'expired',
      { method_label: intent.methodLabel, return_code: intent.returnCode },
      providerActor(context.clock),
    )
}

/**
 * Records a charge that is still pending. The payer of an eCheck gets one acknowledgement. If the payer must first
 * confirm the bank account, the acknowledgement is sent after the confirmation.
 */
async function wait(intentContext: IntentContext): Promise<void> {
  const { tx, company, order, attempt, intent } = intentContext
  if (attempt.status !== attemptStatus.pending) return
  const isProcessing = intent.status === 'processing' && intent.actionUrl === null
  const first = isProcessing && (attempt.step !== 'processing' || attempt.action_url !== null)
  await finish(intentContext, attemptStatus.pending, intent.status === 'processing' ? 'processing' : 'requires_action')
  if (!first || attempt.part === 'fee') return
  Object.assign(order, { method_label: intent.methodLabel })
  await changeRow(tx, 'payment_order', company, order.id, { method_label: intent.methodLabel })
  if (order.method === methods.echeck) await emailAcknowledgement(intentContext)
}

const finish = (intentContext: IntentContext, status: number, step: Attempt['step']): Promise<void> =>
  writeAttempt(intentContext, {
    status,
    step,
    action_url: intentContext.intent.actionUrl,
    error_code: intentContext.intent.error?.code ?? null,
    error_message: intentContext.intent.error?.message ?? null,
  })

async function writeAttempt({ context, tx, company, attempt }: IntentContext, patch: Partial<Attempt>): Promise<void> {
  const written = { ...patch, checked_at: context.clock.now() }
  await changeRow(tx, 'payment_attempt', company, attempt.id, written)
  Object.assign(attempt, written)
}
