import * as z from 'zod/mini'
import type { Dispute, Provider, Refund } from '../provider.ts'
import { metadata, type SandboxClient } from './client.ts'

const refundResponse = z.object({
  id: z.string(),
  intent: z.string(),
  amount_cents: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  metadata,
})

const disputeResponse = z.object({
  id: z.string(),
  intent: z.string(),
  amount_cents: z.int(),
  status: z.enum(['needs_response', 'under_review', 'won', 'lost']),
})

/** Builds the methods for refunds and disputes. */
export function refundVerbs(client: SandboxClient): Pick<Provider, 'createRefund' | 'getRefund' | 'getDispute'> {
  return {
    async createRefund(account, intentId, { amountCents, line, reason }, key) {
      const body = { intent: intentId, amount_cents: amountCents, reason, metadata: line === null ? {} : { line } }
      return refundFrom(await client.post(account, '/v1/refunds', refundResponse, body, key))
    },
    getRefund: async (account, id) => refundFrom(await client.get(account, `/v1/refunds/${id}`, refundResponse)),
    getDispute: async (account, id) => disputeFrom(await client.get(account, `/v1/disputes/${id}`, disputeResponse)),
  }
}

const refundFrom = (response: z.output<typeof refundResponse>): Refund => ({
  id: response.id,
  intentId: response.intent,
  amountCents: response.amount_cents,
  status: response.status,
  line: Number(response.metadata?.['line']) || null,
})

const disputeFrom = (response: z.output<typeof disputeResponse>): Dispute => ({
  id: response.id,
  intentId: response.intent,
  amountCents: response.amount_cents,
  status: response.status,
})
