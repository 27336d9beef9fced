import { changeRow } from '../../../../server/db/rows.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { orderStatus, attemptStatus } from '../../rules.ts'
import { applyAndChargeFee, chargeFee, createIntent, findPayment } from './drive-attempt.ts'
import { type Attempt, findOrder } from '../orders/orders.ts'
import { type Intent, ProviderRefused, ProviderSilent } from '../providers/provider.ts'
import { providerNamed } from '../providers/providers.ts'

/** Minimum time between two provider requests about one attempt, in milliseconds. */
const REFRESH_MS = 2_000
/** Age at which an unconfirmed attempt counts as abandoned and is cancelled, in milliseconds. */
const ABANDONED_MS = 45_000
/** Time that a payer has to authenticate, in milliseconds. */
const CHALLENGE_MS = 15 * 60_000

/**
 * Fetches the outcome of an open attempt from the provider and applies it. An abandoned unconfirmed attempt is first
 * cancelled at the provider, so that it cannot charge later. After that, the order counts as declined.
 */
export async function refreshAttempt(context: AppContext, company: Company, attempt: Attempt): Promise<void> {
  const now = context.clock.now().getTime()
  const age = now - (attempt.submitted_at ?? attempt.created_at).getTime()
  // A fee charge needs no payer, so it is not abandoned as early as a bill's charge. The portal retries it for as long
  // as a payer could authenticate.
  const abandoned = age > (attempt.part === 'fee' ? CHALLENGE_MS : ABANDONED_MS)
  if (attempt.status !== attemptStatus.pending) return
  if (attempt.step === 'new' || attempt.step === 'created') {
    if (!abandoned && attempt.part === 'bill') return
    await recordQuery(context, company, attempt)
    if (!abandoned && (await isNeeded(context, company, attempt))) return chargeFee(context, company, attempt.order_id)
    const created = attempt.step === 'new' ? await createToCancel(context, company, attempt) : attempt
    if (created) await apply(context, company, created, await cancel(context, created))
    return
  }
  if (now - attempt.checked_at.getTime() < REFRESH_MS) return
  await recordQuery(context, company, attempt)
  const intent = await queryProvider(context, () =>
    providerNamed(context.config, attempt.provider).getIntent(attempt.provider_account, attempt.intent_id ?? ''),
  )
  if (attempt.part === 'fee' && intent?.status === 'requires_confirmation' && !abandoned)
    return chargeFee(context, company, attempt.order_id)
  const stuck =
    (intent?.status === 'requires_confirmation' && abandoned) ||
    (intent?.status === 'requires_action' && age > CHALLENGE_MS)
  await apply(context, company, attempt, stuck ? await cancel(context, attempt) : intent)
}

/** Returns true if the fee is still due. A fee is not due if its bill was refunded. */
const isNeeded = (context: AppContext, company: Company, { order_id }: Attempt): Promise<boolean> =>
  context.inCompany(
    company.id,
    async (tx) => (await findOrder(tx, company.id, order_id)).status === orderStatus.success,
  )

/** Repeats the creation with the same idempotency key, to learn the id of an intent that may exist. */
async function createToCancel(context: AppContext, company: Company, { id }: Attempt): Promise<Attempt | null> {
  const created = await createIntent(context, company, await findPayment(context, company, id), { step: 'created' })
  return created === null || 'order' in created ? null : created
}

/**
 * Records the time of a provider request before sending it. The attempt therefore moves to the end of the queue, even
 * without a result.
 */
const recordQuery = (context: AppContext, company: Company, attempt: Attempt) =>
  context.inCompany(company.id, (tx) =>
    changeRow(tx, 'payment_attempt', company.id, attempt.id, { checked_at: context.clock.now() }),
  )
/**
 * Cancels an attempt that waits for the payer to authenticate at the payer's bank. If the attempt was paid before that,
 * records it as paid.
 */
export async function dropAttempt(context: AppContext, company: Company, attempt: Attempt): Promise<void> {
  if (attempt.status === attemptStatus.pending && attempt.step === 'requires_action')
    await apply(context, company, attempt, await cancel(context, attempt))
}

const apply = async (context: AppContext, company: Company, attempt: Attempt, intent: Intent | null) => {
  if (intent) await applyAndChargeFee(context, company, attempt.id, intent)
}

/** Cancels an intent. If that is no longer possible, returns the intent's current state. */
async function cancel(context: AppContext, attempt: Attempt): Promise<Intent | null> {
  const provider = () => providerNamed(context.config, attempt.provider)
  const id = attempt.intent_id ?? ''
  const response = await queryProvider(context, () =>
    provider().cancelIntent(attempt.provider_account, id, `${attempt.provider_account}/${attempt.id}/cancel`),
  )
  return response ?? queryProvider(context, () => provider().getIntent(attempt.provider_account, id))
}

async function queryProvider(context: AppContext, question: () => Promise<Intent>): Promise<Intent | null> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    context.log.warn({ err: error.message }, 'the provider could not be asked')
    return null
  }
}
