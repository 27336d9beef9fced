import type Stripe from 'stripe'
import type { OnboardingVerbs, Provider, ProviderAccountStatus } from '../provider.ts'
import { callStripe } from './client.ts'

/**
 * Builds the methods for company accounts. Stripe collects the onboarding information from the company on its own
 * pages.
 */
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
      return (await callStripe(() => stripe.accounts.create(params, { idempotencyKey: `account-${reference}` }))).id
    },
    onboarding: {
      needsConsent: true,
      async link(account, returnUrl, refreshUrl) {
        const params = { account, type: 'account_onboarding' as const, return_url: returnUrl, refresh_url: refreshUrl }
        return (await callStripe(() => stripe.accountLinks.create(params))).url
      },
      loadStatus: async (account) => accountStatusOf(await callStripe(() => stripe.accounts.retrieve(account))),
    },
  }
}

/** Reasons that Stripe reports for disabling an account while it reviews the submitted information. */
const REVIEWS: readonly string[] = ['requirements.pending_verification', 'under_review']

function accountStatusOf({
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
  const details = { ...paid, missing, dueAt: deadline ? new Date(deadline * 1000) : null, why }
  if (!details_submitted) return { ...details, state: 'in_progress' }
  if (missing.length > 0) return { ...details, state: 'missing' }
  if (paid.takesPayments && paid.isPaidOut) return { ...details, state: 'ready' }
  const isReviewed = why === '' ? (requirements?.pending_verification ?? []).length > 0 : REVIEWS.includes(why)
  return { ...details, state: isReviewed ? 'in_review' : 'on_hold' }
}
