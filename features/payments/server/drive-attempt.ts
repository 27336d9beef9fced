import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { methods, orderStatus, statementNames } from '../rules.ts'
import { applyIntent } from './apply-intent.ts'
import { type Attempt, describeLines, findAttempt, findOrder, type Order, type PaidOrder } from './orders.ts'
import { centsIn } from './charges.ts'
import { attemptsOfFee } from './orders.ts'
import { type Intent, type PaymentSource, type NewIntent, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerNamed } from './providers.ts'

/** A payment as it stands: its order, and one of its attempts. */
export interface Payment {
  order: PaidOrder
  attempt: Attempt
}

/**
 * Steps 2 to 4 of a payment that was begun before. Each is committed before the next begins, and no transaction is open
 * while the provider is spoken to: wherever this dies, what is in the database says what may have happened, and
 * `refreshAttempt` finds out.
 */
export async function driveAttempt(
  context: AppContext,
  company: Company,
  attemptId: number,
  means: PaymentSource,
  returnUrl: string,
): Promise<void> {
  await drive(context, company, await findPayment(context, company, attemptId), means, returnUrl)
}

/** A payment as the database has it now. */
export const findPayment = (context: AppContext, company: Company, attemptId: number): Promise<Payment> =>
  context.inCompany(company.id, async (tx) => {
    const attempt = await findAttempt(tx, company.id, attemptId)
    return { order: await findOrder(tx, company.id, attempt.order_id), attempt }
  })

/** The same for a caller who knows how the payment stands. Answers how it stands then, or null where nobody could say. */
export async function drive(
  context: AppContext,
  company: Company,
  payment: Payment,
  means: PaymentSource,
  returnUrl: string,
): Promise<Payment | null> {
  const submitted = { step: 'submitted', submitted_at: context.clock.now() } as const
  let { attempt } = payment
  if (attempt.step === 'new') {
    const created = await createIntent(context, company, payment, submitted, means)
    if (created === null || 'order' in created) return created
    attempt = created
  } else if (attempt.step === 'created') {
    if (!(await mark(context, company, attempt, submitted))) return null
  } else return null
  // Given up meanwhile, by somebody who thought that we were dead.
  if (attempt.status !== 0) return null
  const intent = await confirm(context, attempt, means, returnUrl)
  return intent && applyAndGoOn(context, company, attempt.id, intent)
}

/** Applies what the provider says of a charge. The charge of its fee follows that of a bill, where it is one of its own. */
export async function applyAndGoOn(
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
 * Charges the fee of a payment by what paid its bill, or goes on with that where it was begun before: everything that it needs
 * is written down, so that whoever comes by can. What was sent is not sent by another key.
 */
export async function chargeFee(context: AppContext, company: Company, orderId: number): Promise<void> {
  const { order, bill, fee } = await context.inCompany(company.id, async (tx) => ({
    order: await findOrder(tx, company.id, orderId),
    ...(await attemptsOfFee(tx, company.id, orderId)),
  }))
  if (!bill?.intent_id || !fee || order.status !== orderStatus.success) return
  const means = { sameAs: bill.intent_id }
  if (fee.step !== 'submitted') await drive(context, company, { order, attempt: fee }, means, '')
  else {
    const intent = await confirm(context, fee, means, '')
    if (intent) await applyIntent(context, company.id, fee.id, intent)
  }
}

/**
 * Step 2: an unconfirmed intent, which by itself can't charge anybody; its id is committed before anything else happens, with
 * the step that is next. Without an answer the attempt is given up, and how the payment stands then is answered.
 * `means`: by what it will be paid; without it the intent is made to be cancelled.
 */
export async function createIntent(
  context: AppContext,
  company: Company,
  { order, attempt }: Payment,
  next: Pick<Attempt, 'step'> & Partial<Attempt>,
  means?: PaymentSource,
): Promise<Attempt | Payment | null> {
  try {
    const intent = await providerNamed(context.config, attempt.provider).createIntent(
      attempt.provider_account,
      wanted(company, order, attempt, means),
      `${company.guid}/${attempt.id}/intent`,
    )
    const facts = { ...next, intent_id: intent.id }
    const isLive = await mark(context, company, attempt, facts)
    return { ...attempt, ...facts, ...(!isLive && { status: 2 }) }
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    context.log.warn({ err: error.message, attempt: attempt.id }, 'an intent could not be created')
    // Nobody waits for the charge of a fee: it is tried again by the next sweep.
    if (attempt.part === 'fee' && error instanceof ProviderSilent) return null
    return applyIntent(context, company.id, attempt.id, never(order))
  }
}

/**
 * Step 3. Asked twice at most, with the same key: the provider does it once. When it stays silent its own record is
 * fetched; null means that nobody knows yet, and the reconciler will ask again.
 */
async function confirm(
  context: AppContext,
  attempt: Attempt,
  means: PaymentSource,
  returnUrl: string,
): Promise<Intent | null> {
  const provider = providerNamed(context.config, attempt.provider)
  const intentId = attempt.intent_id ?? ''
  const key = `${attempt.provider_account}/${attempt.id}/confirm`
  for (const turn of [1, 2]) {
    try {
      return await provider.confirmIntent(attempt.provider_account, intentId, means, returnUrl, key)
    } catch (error) {
      if (error instanceof ProviderRefused) return cancelled(context, attempt)
      if (!(error instanceof ProviderSilent)) throw error
      context.log.warn({ err: error.message, attempt: attempt.id, turn }, 'a confirmation got no answer')
    }
    const fetched = await provider.getIntent(attempt.provider_account, intentId).catch(() => null)
    if (!fetched) return null
    if (fetched.status !== 'requires_confirmation') return fetched
  }
  return null
}

/** The provider refused to confirm (a token that is too old): the intent is cancelled, so that it can never charge. */
async function cancelled(context: AppContext, attempt: Attempt): Promise<Intent | null> {
  const provider = providerNamed(context.config, attempt.provider)
  const { provider_account, intent_id } = attempt
  return provider
    .cancelIntent(provider_account, intent_id ?? '', `${provider_account}/${attempt.id}/cancel`)
    .catch(() => provider.getIntent(provider_account, intent_id ?? '').catch(() => null))
}

/** @returns whether the attempt was still live */
async function mark(
  context: AppContext,
  company: Company,
  attempt: Attempt,
  facts: Partial<Attempt>,
): Promise<boolean> {
  const { numUpdatedRows } = await context.inCompany(company.id, (tx) =>
    tx
      .updateTable('payment_attempt')
      .set({ ...facts, checked_at: context.clock.now() })
      .where('company_id', '=', company.id)
      .where('id', '=', attempt.id)
      .where('status', '=', 0)
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

function wanted(company: Company, order: PaidOrder, { part }: Attempt, means: PaymentSource | undefined): NewIntent {
  const apart = centsIn('fee', order)
  const names = statementNames(company.name)
  return {
    amountCents: centsIn(part, order),
    feeCents: part === 'fee' ? apart : order.fee_cents - apart,
    method: order.method === methods.card ? 'card' : 'echeck',
    description: [company.name, ...(part === 'fee' ? [names.fee] : []), describeLines(order)].join(', '),
    companyId: company.id,
    ...(means && 'stored' in means && { stored: means.stored }),
    ...(means && 'sameAs' in means && { after: means.sameAs }),
    ...(means && 'reader' in means && { reader: means.reader }),
    ...(apart > 0 && { statement: names[part], ...(part === 'bill' && { again: true }) }),
  }
}

/** An intent that never came to be. */
const never = (order: Order): Intent => ({
  id: '',
  status: 'canceled',
  amountCents: order.total_cents,
  refundedCents: 0,
  error: { code: 'provider_unreachable', message: '' },
  actionUrl: null,
  means: '',
  returnCode: null,
  companyId: order.company_id,
})
