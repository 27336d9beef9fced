import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { methods } from '../rules.ts'
import { applyIntent } from './apply-intent.ts'
import { type Attempt, describeLines, findAttempt, findOrder, type Order, type PaidOrder } from './orders.ts'
import { type Intent, type Means, type NewIntent, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerOf } from './providers.ts'

/**
 * Steps 2 to 4 of a payment. Each is committed before the next begins, and no transaction is open while the provider
 * is spoken to: wherever this dies, what is in the database says what may have happened, and `refreshAttempt`
 * finds out.
 */
export async function driveAttempt(
  house: House,
  company: Company,
  attemptId: number,
  means: Means,
  returnUrl: string,
): Promise<void> {
  let attempt = await house.inCompany(company.id, (tx) => findAttempt(tx, company.id, attemptId))
  if (attempt.step === 'new') {
    const created = await createIntent(house, company, attempt, means)
    if (!created) return
    attempt = created
  }
  if (attempt.step !== 'created') return
  const submitted = { step: 'submitted', submitted_at: house.clock.now() } as const
  // Given up meanwhile, by somebody who thought that we were dead.
  if (!(await mark(house, company, attempt, submitted))) return
  const intent = await confirm(house, attempt, means, returnUrl)
  if (intent) await applyIntent(house, company.id, attempt.id, intent)
}

/**
 * Step 2: an unconfirmed intent, which by itself can't charge anybody. Without an answer the attempt is given up.
 * `means`: by what it will be paid; without it the intent is made to be cancelled.
 */
export async function createIntent(
  house: House,
  company: Company,
  attempt: Attempt,
  means?: Means,
): Promise<Attempt | null> {
  const order = await house.inCompany(company.id, (tx) => findOrder(tx, company.id, attempt.order_id))
  const provider = providerOf(house.config)
  try {
    const intent = await provider.createIntent(
      attempt.provider_account,
      wanted(company, order, means),
      `${company.guid}/${attempt.id}/intent`,
    )
    await mark(house, company, attempt, { step: 'created', intent_id: intent.id })
    return { ...attempt, step: 'created', intent_id: intent.id }
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    house.log.warn({ err: error.message, attempt: attempt.id }, 'an intent could not be created')
    await applyIntent(house, company.id, attempt.id, never(order))
    return null
  }
}

/**
 * Step 3. Asked twice at most, with the same key: the provider does it once. When it stays silent its own record is
 * fetched; null means that nobody knows yet, and the reconciler will ask again.
 */
async function confirm(house: House, attempt: Attempt, means: Means, returnUrl: string): Promise<Intent | null> {
  const provider = providerOf(house.config)
  const intentId = attempt.intent_id ?? ''
  const key = `${attempt.provider_account}/${attempt.id}/confirm`
  for (const turn of [1, 2]) {
    try {
      return await provider.confirmIntent(attempt.provider_account, intentId, means, returnUrl, key)
    } catch (error) {
      if (error instanceof ProviderRefused) return cancelled(house, attempt)
      if (!(error instanceof ProviderSilent)) throw error
      house.log.warn({ err: error.message, attempt: attempt.id, turn }, 'a confirmation got no answer')
    }
    const fetched = await provider.getIntent(attempt.provider_account, intentId).catch(() => null)
    if (!fetched) return null
    if (fetched.status !== 'requires_confirmation') return fetched
  }
  return null
}

/** The provider refused to confirm (a token that is too old): the intent is cancelled, so that it can never charge. */
async function cancelled(house: House, attempt: Attempt): Promise<Intent | null> {
  const provider = providerOf(house.config)
  const { provider_account, intent_id } = attempt
  return provider
    .cancelIntent(provider_account, intent_id ?? '', `${provider_account}/${attempt.id}/cancel`)
    .catch(() => provider.getIntent(provider_account, intent_id ?? '').catch(() => null))
}

/** @returns whether the attempt was still live */
async function mark(house: House, company: Company, attempt: Attempt, facts: Partial<Attempt>): Promise<boolean> {
  const { numUpdatedRows } = await house.inCompany(company.id, (tx) =>
    tx
      .updateTable('payment_attempt')
      .set({ ...facts, checked_at: house.clock.now() })
      .where('company_id', '=', company.id)
      .where('id', '=', attempt.id)
      .where('status', '=', 0)
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

const wanted = (company: Company, order: PaidOrder, means: Means | undefined): NewIntent => ({
  amountCents: order.total_cents,
  feeCents: order.fee_cents,
  method: order.method === methods.card ? 'card' : 'echeck',
  description: `${company.name}, ${describeLines(order)}`,
  companyId: company.id,
  ...(means && 'stored' in means && { stored: means.stored }),
})

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
