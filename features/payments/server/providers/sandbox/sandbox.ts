import type { Provider } from '../provider.ts'
import { connect, type SandboxSettings } from './client.ts'
import { eventVerbs } from './events.ts'
import { intentVerbs } from './intents.ts'
import { movementVerbs } from './movements.ts'
import { onboardingVerbs } from './onboarding.ts'
import { refundVerbs } from './refunds.ts'
import { settlementVerbs } from './settlement.ts'
import { storedVerbs } from './stored.ts'
import { terminalVerbs } from './terminal.ts'
import { trialVerbs } from './trial.ts'

/** Adapter of the sandbox gateway. It uses only HTTP. */
export function sandboxProvider(settings: SandboxSettings): Provider {
  const client = connect(settings)
  return {
    name: 'sandbox',
    fieldsOrigin: settings.publicOrigin,
    test: true,
    trial: trialVerbs(settings),
    ...onboardingVerbs(client, settings.publicOrigin),
    ...intentVerbs(client),
    ...refundVerbs(client),
    ...movementVerbs(client),
    ...eventVerbs(settings.webhookSecret),
    stored: storedVerbs(client),
    terminal: terminalVerbs(client),
    settlement: settlementVerbs(client),
  }
}
