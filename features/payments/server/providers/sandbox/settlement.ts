import * as z from 'zod/mini'
import type { Payout, PayoutLine, SettlementVerbs } from '../provider.ts'
import { pageAfter, type SandboxClient } from './client.ts'
import { movementType } from './movements.ts'

const payoutResponse = z.object({
  id: z.string(),
  account: z.string(),
  amount_cents: z.int(),
  fee_cents: z.int(),
  lines: z.int(),
  trace: z.string(),
  arrives_on: z.string(),
  created_at: z.string(),
})

const payoutLineResponse = z.object({
  id: z.string(),
  type: movementType,
  intent: z.string(),
  object_id: z.string(),
  amount_cents: z.int(),
  fee_cents: z.int(),
  created_at: z.string(),
})

const payoutsResponse = z.object({ data: z.array(payoutResponse), has_more: z.boolean() })
const payoutLinesResponse = z.object({ data: z.array(payoutLineResponse), has_more: z.boolean() })

/** Builds the methods for the payouts of all accounts and their movements. */
export function settlementVerbs(client: SandboxClient): SettlementVerbs {
  return {
    byAccount: false,
    async listPayouts(_account, after, limit) {
      const path = `/v1/payouts?${pageAfter(after, limit)}`
      const { data, has_more: more } = await client.get(null, path, payoutsResponse)
      return { payouts: data.map(payoutFrom), more }
    },
    async listLines(account, payout, after, limit) {
      const path = `/v1/payouts/${payout}/balance_transactions?${pageAfter(after, limit)}`
      const { data, has_more: more } = await client.get(account, path, payoutLinesResponse)
      return { lines: data.map(payoutLineFrom), more }
    },
  }
}

const payoutFrom = (response: z.output<typeof payoutResponse>): Payout => ({
  id: response.id,
  account: response.account,
  amountCents: response.amount_cents,
  feeCents: response.fee_cents,
  lines: response.lines,
  trace: response.trace,
  arrivesOn: response.arrives_on,
  at: new Date(response.created_at),
})

const payoutLineFrom = (response: z.output<typeof payoutLineResponse>): PayoutLine => ({
  id: response.id,
  movementType: response.type,
  intentId: response.intent,
  objectId: response.object_id,
  amountCents: response.amount_cents,
  feeCents: response.fee_cents,
  at: new Date(response.created_at),
})
