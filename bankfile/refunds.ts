import type { NewRefund } from '../provider-kit/bodies.ts'
import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { BankfileDeps } from './deps.ts'
import { addEntry, type EntryRow } from './entries.ts'
import { lockIntent } from './intent-steps.ts'

/** Requests a refund, which is a credit in the company's next file. */
export async function requestRefund(
  { clock }: BankfileDeps,
  client: Client,
  account: string,
  { intent, amount_cents, reason, metadata }: NewRefund,
) {
  const row = await lockIntent(client, intent, account)
  if (row.status !== 'succeeded' || row.detail === null)
    throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot be refunded.`)
  if (amount_cents > row.amount_cents - row.refunded_cents)
    throw new Refused(400, 'too_much', 'That is more than is left to refund.')
  const refund = { id: newId('re'), account, intent: row.id, amount_cents, status: 'pending', reason, metadata }
  await client.query('UPDATE intent SET refunded_cents = refunded_cents + $2 WHERE id = $1', [row.id, amount_cents])
  await client.query(
    'INSERT INTO refund (id, account, intent, amount_cents, status, reason, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [...Object.values(refund), clock.now()],
  )
  await addEntry(client, clock, {
    account,
    kind: 'refund',
    intent: row.id,
    refund: refund.id,
    detail: row.detail,
    amount_cents,
    sec_code: 'PPD',
  })
  return refund
}

type RefundEntry = Pick<EntryRow, 'refund' | 'intent' | 'account' | 'amount_cents'>

/** Completes a refund after its credit is in a file. The amount now belongs to the receiver. */
export async function completeRefund(
  { movements, events }: BankfileDeps,
  client: Client,
  { refund, intent, account, amount_cents }: RefundEntry,
): Promise<void> {
  if (refund === null || intent === null) return
  await client.query(`UPDATE refund SET status = 'succeeded' WHERE id = $1`, [refund])
  const about = { object: 'refund', object_id: refund, intent } as const
  await movements.note(client, { ...about, account, type: 'refund', amount_cents: -amount_cents, fee_cents: 0 })
  await events.emit(client, account, 'refund.succeeded', about)
}

/** Reverses a refund that the receiver's bank did not accept. The money belongs to the company again. */
export async function reverseRefund(
  { movements, events }: BankfileDeps,
  client: Client,
  { refund, intent, account, amount_cents }: RefundEntry,
): Promise<void> {
  if (refund === null || intent === null) return
  await client.query(`UPDATE refund SET status = 'failed' WHERE id = $1`, [refund])
  await client.query('UPDATE intent SET refunded_cents = refunded_cents - $2 WHERE id = $1', [intent, amount_cents])
  const about = { object: 'refund', object_id: refund, intent } as const
  await movements.note(client, { ...about, account, type: 'refund_failed', amount_cents, fee_cents: 0 })
  await events.emit(client, account, 'refund.failed', about)
}
