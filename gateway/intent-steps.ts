import type { Clock } from '../provider-kit/clock.ts'
import type { Client } from '../provider-kit/database.ts'
import type { Movement, Movements } from '../provider-kit/movements.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { costOf } from './payouts.ts'
import type { DueStep, Outcome, Scenario } from './scenarios.ts'
import type { Method } from './tokens.ts'

/** Allowed transitions of an intent. Any other transition is refused. */
const steps = {
  requires_confirmation: ['requires_action', 'processing', 'succeeded', 'failed', 'canceled'],
  requires_action: ['processing', 'succeeded', 'failed', 'canceled'],
  processing: ['succeeded', 'failed'],
  succeeded: ['returned', 'canceled'],
  failed: [],
  canceled: [],
  returned: [],
} as const
type Status = keyof typeof steps

export interface IntentRow {
  id: string
  seq: number
  account: string
  amount_cents: number
  fee_cents: number
  refunded_cents: number
  method: 'card' | 'echeck'
  status: Status
  error: Outcome['error'] | null
  payment_method: Method | null
  scenario: Scenario | null
  return_code: string | null
  return_url: string | null
  reader: string | null
  disputed: boolean
  description: string
  metadata: Record<string, unknown>
  created_at: Date
  succeeded_at: Date | null
  due_step: DueStep | null
  due_at: Date | null
}

/**
 * Locks an intent until the transaction ends. If `account` is null, finds intents of all accounts.
 * @throws Refused if the intent does not exist
 */
export async function lockIntent(client: Client, id: string, account: string | null): Promise<IntentRow> {
  const { rows } = await client.query<IntentRow>(
    'SELECT * FROM intent WHERE id = $1 AND ($2::text IS NULL OR account = $2) FOR UPDATE',
    [id, account],
  )
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
  return rows[0]
}

/** Applies one transition with its movement and event, in the caller's transaction. */
export async function stepIntent(
  { clock, events, movements }: GatewayDeps,
  client: Client,
  row: IntentRow,
  to: Status,
  patch: Partial<IntentRow> = {},
): Promise<IntentRow> {
  const open: readonly Status[] = steps[row.status]
  if (!open.includes(to)) throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot become ${to}.`)
  const succeeded_at = to === 'succeeded' ? clock.now() : row.succeeded_at
  const next: IntentRow = { ...row, due_step: null, due_at: null, succeeded_at, ...patch, status: to }
  await client.query(
    `UPDATE intent SET status = $2, error = $3, payment_method = $4, scenario = $5, return_code = $6, succeeded_at = $7, due_step = $8, due_at = $9, return_url = $10, reader = $11 WHERE id = $1`,
    [
      row.id,
      to,
      next.error && JSON.stringify(next.error),
      next.payment_method && JSON.stringify(next.payment_method),
      next.scenario,
      next.return_code,
      next.succeeded_at,
      next.due_step,
      next.due_at,
      next.return_url,
      next.reader,
    ],
  )
  const { id, account, amount_cents } = row
  const about = { object: 'intent', object_id: id, intent: id } as const
  if (to === 'succeeded')
    await noteMovement(movements, client, row.method, { ...about, account, type: 'capture', amount_cents })
  if (to === 'returned')
    await noteMovement(movements, client, row.method, {
      ...about,
      account,
      type: 'return',
      amount_cents: -amount_cents,
    })
  await events.emit(client, account, `intent.${to}`, about)
  return next
}

/** Records a movement with the fee that the gateway charges for it. */
export const noteMovement = (
  movements: Movements,
  client: Client,
  method: IntentRow['method'],
  movement: Omit<Movement, 'fee_cents'>,
) => movements.note(client, { ...movement, fee_cents: costOf(movement.type, method, movement.amount_cents) })

/** Returns the columns that schedule a later transition. */
export const dueLater = (clock: Clock, then: Outcome['then']) =>
  then ? { due_step: then.step, due_at: new Date(clock.now().getTime() + then.afterMs) } : {}
