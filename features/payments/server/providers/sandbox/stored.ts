import * as z from 'zod/mini'
import { describe } from '../method-label.ts'
import type { Setup, StoredMethod, StoredVerbs } from '../provider.ts'
import type { SandboxClient } from './client.ts'

/** Card or bank account in a response of the sandbox gateway. */
export const methodResponse = z.object({
  type: z.string(),
  brand: z.nullish(z.string()),
  last4: z.nullish(z.string()),
  bank_name: z.nullish(z.string()),
  account_type: z.nullish(z.union([z.string(), z.number()])),
})

const storedMethodResponse = z.object({
  ...methodResponse.shape,
  id: z.string(),
  type: z.enum(['card', 'echeck']),
  exp_month: z.nullable(z.int()),
  exp_year: z.nullable(z.int()),
})

const setupResponse = z.object({
  id: z.string(),
  customer: z.string(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  next_action: z.nullable(z.object({ url: z.string() })),
  payment_method: z.nullable(storedMethodResponse),
})

const customerResponse = z.object({ id: z.string() })
const storedMethodsResponse = z.object({ data: z.array(storedMethodResponse) })

/** Builds the methods for people's stored payment methods. */
export function storedVerbs(client: SandboxClient): StoredVerbs {
  return {
    async setup(account, { customer, method, token, mandate, returnUrl }, key) {
      const { id: customerId } = await client.post(
        account,
        '/v1/customers',
        customerResponse,
        customer,
        `${key}/customer`,
      )
      const wanted = { customer: customerId, method }
      const { id } = await client.post(account, '/v1/setup_intents', setupResponse, wanted, key)
      const confirmation = {
        token,
        mandate: {
          text: mandate.text,
          accepted_at: mandate.acceptedAt.toISOString(),
          ip_address: mandate.address,
          user_agent: mandate.device.slice(0, 500),
        },
        return_url: returnUrl,
      }
      const path = `/v1/setup_intents/${id}/confirm`
      return setupFrom(await client.post(account, path, setupResponse, confirmation, `${key}/confirm`))
    },
    getSetup: async (account, id) => setupFrom(await client.get(account, `/v1/setup_intents/${id}`, setupResponse)),
    async list(account, customer) {
      const path = `/v1/customers/${customer}/payment_methods`
      const { data } = await client.get(account, path, storedMethodsResponse)
      return data.map(storedMethodFrom)
    },
    async remove(account, id, key) {
      await client.post(account, `/v1/payment_methods/${id}/detach`, storedMethodResponse, {}, key)
    },
  }
}

const storedMethodFrom = (response: z.output<typeof storedMethodResponse>): StoredMethod => ({
  id: response.id,
  method: response.type,
  methodLabel: describe(response),
  expires:
    response.exp_month !== null && response.exp_year !== null
      ? { month: response.exp_month, year: response.exp_year }
      : null,
  bankName: response.bank_name ?? null,
})

function setupFrom({ id, customer, error, next_action, payment_method }: z.output<typeof setupResponse>): Setup {
  if (payment_method) return { status: 'succeeded', customer, stored: storedMethodFrom(payment_method) }
  if (next_action) return { status: 'requires_action', id, actionUrl: next_action.url }
  return { status: 'failed', error: error ?? { code: 'unknown', message: '' } }
}
