import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { type IntentRow, noteMovement } from './intent-steps.ts'

/** Opens the scheduled dispute of an intent. The bank withdraws the amount until the dispute is decided. */
export async function openDispute({ clock, events, movements }: GatewayDeps, client: Client, row: IntentRow) {
  const id = newId('dp')
  await client.query('UPDATE intent SET disputed = true, due_step = NULL, due_at = NULL WHERE id = $1', [row.id])
  await client.query(
    `INSERT INTO dispute (id, account, intent, amount_cents, status, created_at) VALUES ($1, $2, $3, $4, 'needs_response', $5)`,
    [id, row.account, row.id, row.amount_cents, clock.now()],
  )
  const about = { object: 'dispute', object_id: id, intent: row.id } as const
  const amount_cents = -row.amount_cents
  await noteMovement(movements, client, row.method, { ...about, account: row.account, type: 'dispute', amount_cents })
  await events.emit(client, row.account, 'dispute.created', about)
}

/**
 * Decides a dispute as the bank would, for tests. Credits the amount if the company wins. Does not change a dispute
 * that is already decided.
 */
export const decideDispute = ({ database, events, movements }: GatewayDeps, intent: string, decision: 'won' | 'lost') =>
  database.transact(async (client) => {
    const { rows } = await client.query<{ id: string; account: string; amount_cents: number }>(
      `UPDATE dispute SET status = $2 WHERE intent = $1 AND status NOT IN ('won', 'lost') RETURNING id, account, amount_cents`,
      [intent, decision],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'This intent has no open dispute.')
    const { id, account } = rows[0]
    const about = { object: 'dispute', object_id: id, intent } as const
    const amount_cents = decision === 'won' ? rows[0].amount_cents : 0
    await noteMovement(movements, client, 'card', { ...about, account, type: `dispute_${decision}`, amount_cents })
    await events.emit(client, account, 'dispute.closed', about)
    return { id, status: decision }
  })
