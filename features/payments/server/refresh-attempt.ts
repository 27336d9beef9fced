import { changeRow } from '../../../server/db/rows.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { orderStatus } from '../rules.ts'
import { applyAndGoOn, chargeFee, createIntent, findPayment } from './drive-attempt.ts'
import { type Attempt, findOrder } from './orders.ts'
import { type Intent, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerNamed } from './providers.ts'

/** The provider is asked about one attempt at most this often. */
const ASK_EVERY_MS = 2_000
/** After this long without confirmation nobody is working on an attempt any more: it is cancelled. */
const ABANDONED_MS = 45_000
/** How long a payer may take to prove who they are. */
const CHALLENGE_MS = 15 * 60_000

/**
 * Finds out what became of an attempt that is not final, and applies it. What was never confirmed is cancelled at the
 * provider first, so that it can't charge anybody later; only then the order counts as declined.
 */
export async function refreshAttempt(context: AppContext, company: Company, attempt: Attempt): Promise<void> {
  const now = context.clock.now().getTime()
  const age = now - (attempt.submitted_at ?? attempt.created_at).getTime()
  // Whatever the charge of a fee needs is written down: it is gone on with for as long as a payer may take.
  const abandoned = age > (attempt.part === 'fee' ? CHALLENGE_MS : ABANDONED_MS)
  if (attempt.status !== 0) return
  if (attempt.step === 'new' || attempt.step === 'created') {
    if (!abandoned && attempt.part === 'bill') return
    await noteAsked(context, company, attempt)
    if (!abandoned && (await isWanted(context, company, attempt))) return chargeFee(context, company, attempt.order_id)
    const created = attempt.step === 'new' ? await createToCancel(context, company, attempt) : attempt
    if (created) await apply(context, company, created, await cancel(context, created))
    return
  }
  if (now - attempt.checked_at.getTime() < ASK_EVERY_MS) return
  await noteAsked(context, company, attempt)
  const intent = await asked(context, () =>
    providerNamed(context.config, attempt.provider).getIntent(attempt.provider_account, attempt.intent_id ?? ''),
  )
  if (attempt.part === 'fee' && intent?.status === 'requires_confirmation' && !abandoned)
    return chargeFee(context, company, attempt.order_id)
  const stuck =
    (intent?.status === 'requires_confirmation' && abandoned) ||
    (intent?.status === 'requires_action' && age > CHALLENGE_MS)
  await apply(context, company, attempt, stuck ? await cancel(context, attempt) : intent)
}

/** Whether a fee is still to be charged: its bill may have gone back meanwhile. */
const isWanted = (context: AppContext, company: Company, { order_id }: Attempt): Promise<boolean> =>
  context.inCompany(
    company.id,
    async (tx) => (await findOrder(tx, company.id, order_id)).status === orderStatus.success,
  )

/** An intent that may have been made and of which nobody knows the id: asked for by the same key, it is that one. */
async function createToCancel(context: AppContext, company: Company, { id }: Attempt): Promise<Attempt | null> {
  const created = await createIntent(context, company, await findPayment(context, company, id), { step: 'created' })
  return created === null || 'order' in created ? null : created
}

/** Before it is asked, so that an attempt of which nothing can be learned goes to the end of the row. */
const noteAsked = (context: AppContext, company: Company, attempt: Attempt) =>
  context.inCompany(company.id, (tx) =>
    changeRow(tx, 'payment_attempt', company.id, attempt.id, { checked_at: context.clock.now() }),
  )
/** Gives up an attempt that waits for the payer at their bank. What was paid meanwhile is applied as paid. */
export async function dropAttempt(context: AppContext, company: Company, attempt: Attempt): Promise<void> {
  if (attempt.status === 0 && attempt.step === 'requires_action')
    await apply(context, company, attempt, await cancel(context, attempt))
}

const apply = async (context: AppContext, company: Company, attempt: Attempt, intent: Intent | null) => {
  if (intent) await applyAndGoOn(context, company, attempt.id, intent)
}

/** Cancels an intent; where it can't be cancelled any more, its own record says why. */
async function cancel(context: AppContext, attempt: Attempt): Promise<Intent | null> {
  const provider = () => providerNamed(context.config, attempt.provider)
  const id = attempt.intent_id ?? ''
  const answer = await asked(context, () =>
    provider().cancelIntent(attempt.provider_account, id, `${attempt.provider_account}/${attempt.id}/cancel`),
  )
  return answer ?? asked(context, () => provider().getIntent(attempt.provider_account, id))
}

async function asked(context: AppContext, question: () => Promise<Intent>): Promise<Intent | null> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    context.log.warn({ err: error.message }, 'the provider could not be asked')
    return null
  }
}
