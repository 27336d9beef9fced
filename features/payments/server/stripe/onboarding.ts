import type Stripe from 'stripe'
import type { OnboardingVerbs, Provider, Standing } from '../provider.ts'
import { ask } from './client.ts'

/** Accounts of towns: Stripe asks the town itself for what it has to know, on pages of its own. */
export function onboardingVerbs(stripe: Stripe): Pick<Provider, 'ensureAccount'> & { onboarding: OnboardingVerbs } {
  return {
    async ensureAccount(reference, name) {
      const params: Stripe.AccountCreateParams = {
        type: 'express',
        country: 'US',
        business_type: 'government_entity',
        business_profile: { name },
        capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
        metadata: { reference },
      }
      return (await ask(() => stripe.accounts.create(params, { idempotencyKey: `account-${reference}` }))).id
    },
    onboarding: {
      async link(account, returnUrl) {
        const params = { account, type: 'account_onboarding' as const, return_url: returnUrl, refresh_url: returnUrl }
        return (await ask(() => stripe.accountLinks.create(params))).url
      },
      standing: async (account) => standingOf(await ask(() => stripe.accounts.retrieve(account))),
    },
  }
}

function standingOf({
  details_submitted,
  charges_enabled,
  payouts_enabled,
  requirements,
  capabilities,
}: Stripe.Account): Standing {
  const missing = [...new Set([...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])])].toSorted()
  const paid = { takesPayments: charges_enabled && capabilities?.transfers === 'active', isPaidOut: payouts_enabled }
  const told = { ...paid, missing, why: requirements?.disabled_reason ?? '' }
  if (!details_submitted) return { ...told, state: 'in_progress' }
  if (missing.length > 0) return { ...told, state: 'missing' }
  return { ...told, state: paid.takesPayments && paid.isPaidOut ? 'ready' : 'on_hold' }
}
