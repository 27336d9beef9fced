import * as z from 'zod/mini'
import { brandNamed, fundingNamed } from '../../../rules-fees.ts'
import { describe } from '../method-label.ts'
import type { Intent, NewIntent, PaymentSource, Provider } from '../provider.ts'
import { companyOf, metadata, type SandboxClient } from './client.ts'
import { methodResponse } from './stored.ts'

const intentResponse = z.object({
  id: z.string(),
  status: z.enum([
    'requires_confirmation',
    'requires_action',
    'processing',
    'succeeded',
    'failed',
    'canceled',
    'returned',
  ]),
  amount_cents: z.int(),
  refunded_cents: z.int(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  next_action: z.nullable(z.object({ url: z.string() })),
  payment_method: z.nullable(methodResponse),
  return_code: z.nullable(z.string()),
  metadata,
})

const cardResponse = z.object({ brand: z.nullable(z.string()), funding: z.nullable(z.string()) })

type IntentVerbs = Pick<
  Provider,
  'createIntent' | 'confirmIntent' | 'getIntent' | 'cancelIntent' | 'voidIntent' | 'cardOf'
>

/** Builds the methods for charges of companies and for the card type of a token. */
export function intentVerbs(client: SandboxClient): IntentVerbs {
  const post = async (account: string, path: string, body: object, key: string) =>
    intentFrom(await client.post(account, path, intentResponse, body, key))
  return {
    createIntent: (account, request, key) => post(account, '/v1/intents', intentBody(request), key),
    confirmIntent: (account, id, source, returnUrl, key) =>
      'reader' in source
        ? post(account, `/v1/terminal/readers/${source.reader}/process`, { intent: id }, key)
        : post(account, `/v1/intents/${id}/confirm`, { ...sourceBody(source), return_url: returnUrl }, key),
    getIntent: async (account, id) => intentFrom(await client.get(account, `/v1/intents/${id}`, intentResponse)),
    cancelIntent: (account, id, key) => post(account, `/v1/intents/${id}/cancel`, {}, key),
    voidIntent: (account, id, key) => post(account, `/v1/intents/${id}/void`, {}, key),
    async cardOf(account, token) {
      const path = `/v1/tokens/${encodeURIComponent(token)}`
      const { brand, funding } = await client.get(account, path, cardResponse)
      return { brand: brandNamed(brand), funding: fundingNamed(funding) }
    },
  }
}

const intentFrom = (response: z.output<typeof intentResponse>): Intent => ({
  id: response.id,
  status: response.status,
  amountCents: response.amount_cents,
  refundedCents: response.refunded_cents,
  error: response.error,
  actionUrl: response.next_action?.url ?? null,
  methodLabel: describe(response.payment_method),
  returnCode: response.return_code,
  companyId: companyOf(response.metadata),
})

const intentBody = (request: NewIntent) => ({
  amount_cents: request.amountCents,
  fee_cents: request.feeCents,
  method: request.method,
  description: request.description,
  metadata: {
    company_id: String(request.companyId),
    ...(request.statement !== undefined && { statement: request.statement }),
  },
})

function sourceBody(source: Exclude<PaymentSource, { reader: string }>) {
  if ('token' in source) return { token: source.token }
  if ('sameAs' in source) return { same_as: source.sameAs }
  return { payment_method: source.stored, off_session: !source.present }
}
