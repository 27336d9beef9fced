import * as z from 'zod/mini'
import type { Movement, Provider } from '../provider.ts'
import { companyOf, metadata, pageAfter, type SandboxClient } from './client.ts'

export const movementType = z.enum([
  'capture',
  'void',
  'refund',
  'refund_failed',
  'return',
  'dispute',
  'dispute_won',
  'dispute_lost',
])

const movementResponse = z.object({
  id: z.string(),
  type: movementType,
  account: z.string(),
  intent: z.string(),
  object: z.enum(['intent', 'refund', 'dispute']),
  object_id: z.string(),
  amount_cents: z.int(),
  metadata,
})

const movementsResponse = z.object({ data: z.array(movementResponse), has_more: z.boolean() })

/** Builds the method that lists the money movements at the gateway, for all accounts. */
export const movementVerbs = (client: SandboxClient): Pick<Provider, 'listMovements'> => ({
  async listMovements(after, limit) {
    const path = `/v1/balance_transactions?${pageAfter(after, limit)}`
    const { data, has_more: more } = await client.get(null, path, movementsResponse)
    return { movements: data.map(movementFrom), more }
  },
})

const movementFrom = (response: z.output<typeof movementResponse>): Movement => ({
  id: response.id,
  movementType: response.type,
  account: response.account,
  intentId: response.intent,
  object: response.object,
  objectId: response.object_id,
  amountCents: response.amount_cents,
  companyId: companyOf(response.metadata),
})
