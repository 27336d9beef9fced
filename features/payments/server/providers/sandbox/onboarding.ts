import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Provider } from '../provider.ts'
import type { SandboxClient } from './client.ts'

const accountResponse = z.object({ id: z.string() })
const linkResponse = z.object({ path: z.string() })

const accountStatusResponse = z.object({
  state: z.enum(['in_progress', 'missing', 'in_review', 'on_hold', 'ready']),
  takes_payments: z.boolean(),
  paid_out: z.boolean(),
  missing: z.array(z.string()),
  due_at: z.nullable(z.string()),
  why: z.string(),
})

/** Builds the methods that open company accounts and link to the gateway's onboarding page. */
export function onboardingVerbs(
  client: SandboxClient,
  publicOrigin: string,
): Pick<Provider, 'ensureAccount' | 'onboarding'> {
  return {
    async ensureAccount(reference, name, needsConsent = false) {
      const body = { reference, name, ...(needsConsent && { needs_consent: true }) }
      const key = `account-${reference}${needsConsent ? '-asked' : ''}`
      return (await client.post(null, '/v1/accounts', accountResponse, body, key)).id
    },
    onboarding: {
      needsConsent: false,
      async link(account, returnUrl, refreshUrl) {
        const body = { return_url: returnUrl, refresh_url: refreshUrl }
        const { path } = await client.post(account, '/v1/account_links', linkResponse, body, randomUUID())
        return publicOrigin + path
      },
      async loadStatus(account) {
        const { state, missing, why, ...status } = await client.get(account, '/v1/account', accountStatusResponse)
        return {
          state,
          takesPayments: status.takes_payments,
          isPaidOut: status.paid_out,
          missing,
          dueAt: status.due_at === null ? null : new Date(status.due_at),
          why,
        }
      },
    },
  }
}
