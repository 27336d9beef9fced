import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { methods, orderStatus, statementNames, attemptStatus } from '../../rules.ts'
import { applyIntent } from './apply-intent.ts'
import { type Attempt, describeLines, findAttempt, findOrder, type Order, type PaidOrder } from '../orders/orders.ts'
import { centsIn } from '../ledger/charges.ts'
import { attemptsOfFee } from '../orders/orders.ts'
import {
  type Intent,
  type PaymentSource,
  type NewIntent,
  ProviderRefused,
  ProviderSilent,
} from '../providers/provider.ts'
import { providerNamed } from '../providers/providers.ts'

/** Payment with its order and one of its attempts. */
export interface Payment {
  order: PaidOrder
  attempt: Attempt
}

/**
 * Creates, confirms and applies the charge of a started payment (steps 2 to 4). Each step is committed before the next,
 * and no transaction is open during provider calls. After a crash, the stored step shows the possible outcomes, and
 * `refreshAttempt` finds the actual one.
 */
export async function driveAttempt(
  context: AppContext,
  company: Company,
  attemptId: number,
  source: PaymentSource,
  returnUrl: string,
): Promise<void> {
  await drive(context, company, await findPayment(context, company, attemptId), source, returnUrl)
}

/** Reads the current state of a payment. */
export const findPayment = (context: AppContext, company: Company, attemptId: number): Promise<Payment> =>
  context.inCompany(company.id, async (tx) => {
    const attempt = await findAttempt(tx, company.id, attemptId)
    return { order: await findOrder(tx, company.id, attempt.order_id), attempt }
  })

/** Runs the steps of an already loaded payment. Returns the new state, or null if the state is unknown. */
export async function drive(
  context: AppContext,
  company: Company,
  payment: Payment,
  source: PaymentSource,
  returnUrl: string,
): Promise<Payment | null> {
  const submitted = { step: 'submitted', submitted_at: context.clock.now() } as const
  let { attempt } = payment
  if (attempt.step === 'new') {
    const created = await createIntent(context, company, payment, submitted, source)
    if (created === null || 'order' in created) return created
    attempt = created
  } else if (attempt.step === 'created') {
    if (!(await updatePendingAttempt(context, company, attempt, submitted))) return null
  } else return null
  // Another process assumed that this one crashed and cancelled the attempt.
  if (attempt.status !== attemptStatus.pending) return null
  const intent = await confirm(context, attempt, source, returnUrl)
  return intent && applyAndChargeFee(context, company, attempt.id, intent)
}

/** Applies the provider's state of a charge. If the payment has a separate fee, charges the fee after its bill. */
export async function applyAndChargeFee(
  context: AppContext,
  company: Company,
  attemptId: number,
  intent: Intent,
): Promise<Payment> {
  const payment = await applyIntent(context, company.id, attemptId, intent)
  if (payment.attempt.part === 'fee' || payment.order.fee?.status !== 'waiting') return payment
  await chargeFee(context, company, payment.order.id)
  return findPayment(context, company, attemptId)
}

/**
 * Charges the fee of a payment to the bill's payment method, or resumes that charge. All data is stored, so any process
 * can resume it. A charge that was sent is never sent again with another idempotency key.
 */
export async function chargeFee(context: AppContext, company: Company, orderId: number): Promise<void> {
  const { order, bill, fee } = await context.inCompany(company.id, async (tx) => ({
    order: await findOrder(tx, company.id, orderId),
    ...(await attemptsOfFee(tx, company.id, orderId)),
  }))
  if (!bill?.intent_id || !fee || order.status !== orderStatus.success) return
  const source = { sameAs: bill.intent_id }
  if (fee.step !== 'submitted') await drive(context, company, { order, attempt: fee }, source, '')
  else {
    const intent = await confirm(context, fee, source, '')
    if (intent) await applyIntent(context, company.id, fee.id, intent)
  }
}

/**
 * Step 2: creates an unconfirmed intent, which cannot charge anyone. Commits its id and the next step before anything
 * else happens. If the provider does not respond, cancels the attempt and returns the resulting state. Without `source`
 * (the payment source), the intent is created only to be cancelled.
 */
export async function createIntent(
  context: AppContext,
  company: Company,
  { order, attempt }: Payment,
  next: Pick<Attempt, 'step'> & Partial<Attempt>,
  source?: PaymentSource,
): Promise<Attempt | Payment | null> {
  try {
    const intent = await providerNamed(context.config, attempt.provider).createIntent(
      attempt.provider_account,
      intentRequestOf(company, order, attempt, source),
      `${company.guid}/${attempt.id}/intent`,
    )
    const patch = { ...next, intent_id: intent.id }
    const isLive = await updatePendingAttempt(context, company, attempt, patch)
    return { ...attempt, ...patch, ...(!isLive && { status: attemptStatus.failed }) }
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    context.log.warn({ err: error.message, attempt: attempt.id }, 'an intent could not be created')
    // No payer waits for the charge of a fee, so the next sweep retries it.
    if (attempt.part === 'fee' && error instanceof ProviderSilent) return null
    return applyIntent(context, company.id, attempt.id, neverCreatedIntent(order))
  }
}

/**
 * Step 3: confirms the intent with at most two calls under one idempotency key, so the provider acts once. If the
 * provider does not respond, fetches its record of the charge. Null means that the result is unknown and the reconciler
 * checks later.
 */
async function confirm(
  context: AppContext,
  attempt: Attempt,
  source: PaymentSource,
  returnUrl: string,
): Promise<Intent | null> {
  const provider = providerNamed(context.config, attempt.provider)
  const intentId = attempt.intent_id ?? ''
  const key = `${attempt.provider_account}/${attempt.id}/confirm`
  for (const attemptNo of [1, 2]) {
    try {
      return await provider.confirmIntent(attempt.provider_account, intentId, source, returnUrl, key)
    } catch (error) {
      if (error instanceof ProviderRefused) return cancelRefusedIntent(context, attempt)
      if (!(error instanceof ProviderSilent)) throw error
      context.log.warn({ err: error.message, attempt: attempt.id, attemptNo }, 'a confirmation got no answer')
    }
    const fetched = await provider.getIntent(attempt.provider_account, intentId).catch(() => null)
    if (!fetched) return null
    if (fetched.status !== 'requires_confirmation') return fetched
  }
  return null
}

/**
 * Cancels the intent, so that it can never charge. Used if the provider refused to confirm, for example because of an
 * expired token.
 */
async function cancelRefusedIntent(context: AppContext, attempt: Attempt): Promise<Intent | null> {
  const provider = providerNamed(context.config, attempt.provider)
  const { provider_account, intent_id } = attempt
  return provider
    .cancelIntent(provider_account, intent_id ?? '', `${provider_account}/${attempt.id}/cancel`)
    .catch(() => provider.getIntent(provider_account, intent_id ?? '').catch(() => null))
}

/** Saves a change of an attempt. @returns true if the attempt was still open */
async function updatePendingAttempt(
  context: AppContext,
  company: Company,
  attempt: Attempt,
  patch: Partial<Attempt>,
): Promise<boolean> {
  const { numUpdatedRows } = await context.inCompany(company.id, (tx) =>
    tx
      .updateTable('payment_attempt')
      .set({ ...patch, checked_at: context.clock.now() })
      .where('company_id', '=', company.id)
      .where('id', '=', attempt.id)
      .where('status', '=', attemptStatus.pending)
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

function intentRequestOf(
  company: Company,
  order: PaidOrder,
  { part }: Attempt,
  source: PaymentSource | undefined,
): NewIntent {
  const separateCents = centsIn('fee', order)
  const names = statementNames(company.name)
  return {
    amountCents: centsIn(part, order),
    feeCents: part === 'fee' ? separateCents : order.fee_cents - separateCents,
    method: order.method === methods.card ? 'card' : 'echeck',
    description: [company.name, ...(part === 'fee' ? [names.fee] : []), describeLines(order)].join(', '),
    companyId: company.id,
    ...(source && 'stored' in source && { stored: source.stored }),
    ...(source && 'sameAs' in source && { after: source.sameAs }),
    ...(source && 'reader' in source && { reader: source.reader }),
    ...(separateCents > 0 && { statement: names[part], ...(part === 'bill' && { again: true }) }),
  }
}

/** Builds a placeholder for an intent that was never created. */
const neverCreatedIntent = (order: Order): Intent => ({
  id: '',
  status: 'canceled',
  amountCents: order.total_cents,
  refundedCents: 0,
  error: { code: 'provider_unreachable', message: '' },
  actionUrl: null,
  methodLabel: '',
  returnCode: null,
  companyId: order.company_id,
})
