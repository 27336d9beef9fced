import type { AppContext } from '../../../../server/app-context.ts'
import { companyIdFrom } from '../../../../server/tenancy.ts'
import { notifyAccountChange } from './account-events.ts'
import { applyAndChargeFee } from '../attempts/drive-attempt.ts'
import { applyDispute, applyRefund } from '../ledger/apply-reversal.ts'
import type { Intent, Provider, ProviderEvent } from './provider.ts'
import { providerNamed } from './providers.ts'

/**
 * Fetches the object of an event from the provider and applies its current state. The provider returns the company id
 * that the portal set on the charge. The portal trusts this id only if that company has the charge.
 * @throws if the provider is silent or refuses, or holds money for an unknown charge
 */
export async function applyEvent(context: AppContext, event: ProviderEvent): Promise<void> {
  const provider = providerNamed(context.config, event.provider)
  await (event.object === 'account'
    ? notifyAccountChange(context, provider, event.objectId)
    : applyCharge(context, provider, event))
  await context.outside((tx) =>
    tx
      .updateTable('provider_event')
      .set({ applied_at: context.clock.now(), abandoned_at: null })
      .where('provider', '=', provider.name)
      .where('event_id', '=', event.id)
      .execute(),
  )
}

async function applyCharge(context: AppContext, provider: Provider, event: ProviderEvent): Promise<void> {
  const { objectId } = event
  const intent = await provider.getIntent(event.account, event.intentId)
  const charge = await findCharge(context, provider.name, intent)
  if (!charge && heldCentsOf(intent) !== 0)
    throw new Error(`The provider moved money of the charge ${intent.id}, which is not known here.`)
  if (charge) {
    const { company, attemptId, account } = charge
    const companyRecord = await context.hosts.byId(company)
    if (!companyRecord) throw new Error(`there is no company ${company}`)
    await applyAndChargeFee(context, companyRecord, attemptId, intent)
    if (event.object === 'refund')
      await applyRefund(context, company, attemptId, await provider.getRefund(account, objectId))
    if (event.object === 'dispute')
      await applyDispute(context, company, attemptId, await provider.getDispute(account, objectId))
  }
}

/** Finds the payment attempt of a charge. A provider's charge ids are unique across companies. */
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

/** Returns the amount that the provider still holds for a charge. The amount of a test charge ends at 0. */
function heldCentsOf({ status, amountCents, refundedCents }: Intent): number {
  if (status === 'succeeded') return amountCents - refundedCents
  return status === 'returned' ? -refundedCents : 0
}
