import * as z from 'zod/mini'
import { ProviderRefused, ProviderSilent, type TrialVerbs } from '../provider.ts'
import { type GatewayAddress, send } from './client.ts'

/** Test card of the sandbox. Every charge on it succeeds. It belongs to no one. */
const TEST_CARD = { type: 'card', number: '4242424242424242', month: 12, year: 2040, cvc: '123' }

export const trialVerbs = (gateway: GatewayAddress): TrialVerbs => ({
  method: 'card',
  createSource: async (account) => ({ token: await submitHostedFields(gateway, account, TEST_CARD) }),
})

/** Simulates a browser that submits the hosted fields. Returns the token. */
export async function submitHostedFields(gateway: GatewayAddress, account: string, values: object): Promise<string> {
  const { status, text } = await send(gateway, `/fields/tokens?account=${encodeURIComponent(account)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  })
  if (status >= 500) throw new ProviderSilent(`the gateway answered ${status}`)
  if (status >= 400) throw new ProviderRefused(`the gateway answered ${status}`)
  return tokenFrom(text)
}

const tokenResponse = z.object({ token: z.string() })

function tokenFrom(text: string): string {
  try {
    return tokenResponse.parse(JSON.parse(text)).token
  } catch (cause) {
    throw new ProviderRefused('the gateway answered in another shape', { cause })
  }
}
