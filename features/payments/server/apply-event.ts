import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { tellOfAccount } from './account-news.ts'
import { applyAndGoOn } from './drive-attempt.ts'
import { applyDispute, applyRefund } from './apply-money-back.ts'
import type { Intent, Provider, ProviderEvent } from './provider.ts'
import { providerNamed } from './providers.ts'

/**
 * Fetches the object that an event is about and applies what it says now. Which town it belongs to is what we told
 * the provider when the charge was made, and is believed only where that town knows the charge.
 * @throws where the provider is silent or refuses, and where it holds money of a charge that no town knows
 */
export async function applyEvent(context: AppContext, event: ProviderEvent): Promise<void> {
  const provider = providerNamed(context.config, event.provider)
  await (event.object === 'account'
    ? tellOfAccount(context, provider, event.objectId)
    : applyCharge(context, provider, event))
  await context.outside((tx) =>
    tx
      .updateTable('provider_event')
      .set({ applied_at: context.clock.now(), given_up_at: null })
      .where('provider', '=', provider.name)
      .where('event_id', '=', event.id)
      .execute(),
  )
}

async function applyCharge(context: AppContext, provider: Provider, event: ProviderEvent): Promise<void> {
  const { objectId } = event
  const intent = await provider.getIntent(event.account, event.intentId)
  const found = await findCharge(context, provider.name, intent)
  if (!found && heldOf(intent) !== 0)
    throw new Error(`The provider moved money of the charge ${intent.id}, which is not known here.`)
  if (found) {
    const { company, attemptId, account } = found
    const town = await context.hosts.byId(company)
    if (!town) throw new Error(`there is no company ${company}`)
    await applyAndGoOn(context, town, attemptId, intent)
    if (event.object === 'refund')
      await applyRefund(context, company, attemptId, await provider.getRefund(account, objectId))
    if (event.object === 'dispute')
      await applyDispute(context, company, attemptId, await provider.getDispute(account, objectId))
  }
}

/** A charge's id is its provider's own, so that no two towns have the same. */
async function findCharge(context: AppContext, provider: string, intent: Intent) {
  if (intent.companyId === null) return null
  const company = companyIdFrom('provider-event', intent.companyId)
  const attempt = await context.inCompany(company, (tx) =>
    tx
      .selectFrom('payment_attempt')
      .select(['id', 'provider_account'])
      .where('company_id', '=', company)
      .where('provider', '=', provider)
      .where('intent_id', '=', intent.id)
      .executeTakeFirst(),
  )
  return attempt ? { company, attemptId: attempt.id, account: attempt.provider_account } : null
}

/** What the provider still has of a charge. A charge that was made to try the gateway ends at 0, and is nobody's payment. */
function heldOf({ status, amountCents, refundedCents }: Intent): number {
  if (status === 'succeeded') return amountCents - refundedCents
  return status === 'returned' ? -refundedCents : 0
}
