import type Stripe from 'stripe'
import type { OnboardingVerbs, Provider, ProviderAccountStatus } from '../provider.ts'
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
      asksFirst: true,
      async link(account, returnUrl, refreshUrl) {
        const params = { account, type: 'account_onboarding' as const, return_url: returnUrl, refresh_url: refreshUrl }
        return (await ask(() => stripe.accountLinks.create(params))).url
      },
      standing: async (account) => standingOf(await ask(() => stripe.accounts.retrieve(account))),
    },
  }
}

/** Why Stripe stopped something while it looks at what it was told. */
const REVIEWS: readonly string[] = ['requirements.pending_verification', 'under_review']

function standingOf({
  details_submitted,
  charges_enabled,
  payouts_enabled,
  requirements,
  capabilities,
}: Stripe.Account): ProviderAccountStatus {
  const missing = [...new Set([...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])])].toSorted()
  const paid = { takesPayments: charges_enabled && capabilities?.transfers === 'active', isPaidOut: payouts_enabled }
  const deadline = requirements?.current_deadline
  const why = requirements?.disabled_reason ?? ''
  const told = { ...paid, missing, dueAt: deadline ? new Date(deadline * 1000) : null, why }
  if (!details_submitted) return { ...told, state: 'in_progress' }
  if (missing.length > 0) return { ...told, state: 'missing' }
  if (paid.takesPayments && paid.isPaidOut) return { ...told, state: 'ready' }
  const isReviewed = why === '' ? (requirements?.pending_verification ?? []).length > 0 : REVIEWS.includes(why)
  return { ...told, state: isReviewed ? 'in_review' : 'on_hold' }
}
