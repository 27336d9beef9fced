import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { openApi } from '../provider-kit/api.ts'
import { mountBalanceCalls } from '../provider-kit/balance-calls.ts'
import { mountControls } from '../provider-kit/controls.ts'
import { openFaults } from '../provider-kit/faults.ts'
import { type Onboarding, openOnboarding } from '../provider-kit/onboarding.ts'
import { openProvider, openProviderServer, repeatWork } from '../provider-kit/provider.ts'
import { mountAccountCalls, mountIntentCalls, mountReaderCalls, mountStoredMethodCalls } from './calls.ts'
import { SANDBOX } from './database.ts'
import type { GatewayDeps } from './deps.ts'
import { decideDispute } from './disputes.ts'
import { applyDueSteps } from './due-steps.ts'
import { mountHostedPages } from './hosted-pages.ts'
import { force, forcedStatus, sandboxPage } from './onboarding.ts'
import { openPayouts } from './payouts.ts'
import type { Settings } from './settings.ts'

const TICK_MS = 250
const MAX_BODY_BYTES = 64 * 1024

const decision = z.object({ intent: z.string(), decision: z.enum(['won', 'lost']) })

/**
 * Builds the sandbox payment provider: accounts, intents, refunds, disputes, hosted fields, signed events and test
 * controls. The sandbox stores all data in its own schema and does not depend on the portal.
 */
export async function buildGateway(settings: Settings, publicOrigin: () => string): Promise<FastifyInstance> {
  const deps: GatewayDeps = { ...(await openProvider(settings, SANDBOX)), publicOrigin }
  const { database, clock, events, movements } = deps
  const payouts = openPayouts(database, clock)
  const faults = openFaults(settings.faultHoldMs)
  const { apiKey, frameAncestors } = settings
  const applyDue = () => applyDueSteps(deps)
  const advance = async () => {
    await applyDue()
    await payouts.advance()
  }

  const app = openProviderServer('gateway', MAX_BODY_BYTES, database)
  const { page } = mountHostedPages(app, frameAncestors, deps)
  const onboarding = openOnboarding({ database, clock, events, frameAncestors, page }, sandboxPage(database))
  onboarding.mount(app)

  app.register(async (api) => {
    const calls = openApi(api, { apiKey, database, faults, advance: applyDue, deliver: events.deliver })
    mountBalanceCalls(calls, { movements, payouts, advance: applyDue })
    mountAccountCalls(calls, deps, onboarding)
    mountIntentCalls(calls, deps)
    mountStoredMethodCalls(calls, deps)
    mountReaderCalls(calls, deps)
    mountControls(api, { clock, events, faults, advance })
    mountForcedOutcomes(api, deps, onboarding)
  })

  const work = async () => {
    await advance()
    await events.deliver()
  }
  repeatWork(app, database, TICK_MS, work, () => {})
  return app
}

/** Adds the test controls that force the result of an account review or of a dispute. */
function mountForcedOutcomes(api: FastifyInstance, deps: GatewayDeps, onboarding: Onboarding): void {
  api.post('/v1/test/accounts', async (request) => {
    const { account, outcome } = forcedStatus.parse(request.body)
    await deps.database.transact(async (client) => {
      await force(client, account, outcome)
      await onboarding.sendStatus(client, account)
    })
    void deps.events.deliver().catch(() => {})
    return { outcome }
  })
  api.post('/v1/test/disputes', async (request) => {
    const { intent, decision: decided } = decision.parse(request.body)
    return decideDispute(deps, intent, decided)
  })
}
