import type { NewRefund } from '../provider-kit/bodies.ts'
import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { lockIntent, noteMovement } from './intent-steps.ts'

/** Refunds a paid intent partially or fully. */
export async function refundIntent(
  { clock, events, movements }: GatewayDeps,
  client: Client,
  account: string,
  { intent, amount_cents, reason, metadata }: NewRefund,
) {
  const row = await lockIntent(client, intent, account)
  if (row.status !== 'succeeded')
    throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot be refunded.`)
  if (amount_cents > row.amount_cents - row.refunded_cents)
    throw new Refused(400, 'too_much', 'That is more than is left to refund.')
  const refund = { id: newId('re'), account, intent: row.id, amount_cents, status: 'succeeded', reason, metadata }
  await client.query('UPDATE intent SET refunded_cents = refunded_cents + $2 WHERE id = $1', [row.id, amount_cents])
  await client.query(
    'INSERT INTO refund (id, account, intent, amount_cents, status, reason, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [...Object.values(refund), clock.now()],
  )
  const about = { object: 'refund', object_id: refund.id, intent: row.id } as const
  await noteMovement(movements, client, row.method, { ...about, account, type: 'refund', amount_cents: -amount_cents })
  await events.emit(client, account, 'refund.succeeded', about)
  return refund
}
