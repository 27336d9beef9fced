import type { StripeConfig } from '../../../../../server/config.ts'
import type { FieldScript, Provider } from '../provider.ts'
import { connect } from './client.ts'
import { eventVerbs } from './events.ts'
import { intentVerbs } from './intents.ts'
import { refundVerbs } from './refunds.ts'
import { movementVerbs } from './movements.ts'
import { onboardingVerbs } from './onboarding.ts'
import { settlementVerbs } from './settlement.ts'
import { cardOf, storedVerbs } from './stored.ts'
import { terminalVerbs } from './terminal.ts'

/**
 * Returns the script and the origins that company pages load from Stripe. The script loads parts from subdomains and
 * calls the API. The portal does not use Stripe's address fields, so their map origins are missing here. Source:
 * https://docs.stripe.com/security/guide#content-security-policy
 */
function scriptOf({ jsUrl: url, publishableKey: key, apiUrl }: StripeConfig): FieldScript {
  const scripts = [new URL(url).origin, 'https://*.js.stripe.com']
  return {
    ...{ url, key, scripts },
    frames: [...scripts, 'https://hooks.stripe.com'],
    calls: [apiUrl ?? 'https://api.stripe.com'],
  }
}

/** Stripe's test card. Source: https://docs.stripe.com/testing */
const TEST_CARD = 'pm_card_visa'

/** Creates the adapter for Stripe. Each company has a connected account (Stripe Connect). */
export function stripeProvider(config: StripeConfig, { timeoutMs }: { timeoutMs?: number } = {}): Provider {
  const stripe = connect(config, timeoutMs)
  return {
    name: 'stripe',
    fieldsOrigin: new URL(config.jsUrl).origin,
    test: config.test,
    script: scriptOf(config),
    ...(config.test && { trial: { method: 'card', createSource: async () => ({ token: TEST_CARD }) } }),
    ...onboardingVerbs(stripe),
    ...intentVerbs(stripe),
    ...refundVerbs(stripe),
    ...movementVerbs(stripe),
    ...eventVerbs(stripe, config.webhookSecrets),
    cardOf: (_account, token) => cardOf(stripe, token),
    stored: storedVerbs(stripe),
    terminal: terminalVerbs(stripe),
    settlement: settlementVerbs(stripe),
  }
}
