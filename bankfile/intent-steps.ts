import type { Client } from '../provider-kit/database.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { BankfileDeps } from './deps.ts'
import { returnCodes } from './nacha/return-codes.ts'

/** Allowed transitions of an intent. All others are refused. */
const steps = {
  requires_confirmation: ['processing', 'failed', 'canceled'],
  processing: ['succeeded', 'failed', 'canceled'],
  succeeded: ['returned'],
  failed: [],
  canceled: [],
  returned: [],
} as const
type Status = keyof typeof steps

export interface IntentRow {
  id: string
  account: string
  amount_cents: number
  fee_cents: number
  refunded_cents: number
  status: Status
  error: { code: string; message: string; retryable: boolean } | null
  detail: string | null
  stored_method: string | null
  return_code: string | null
  description: string
  metadata: Record<string, unknown>
  created_at: Date
  succeeded_at: Date | null
}

/** Returns the error of an intent if the bank returned its debit with this code. */
export const bankError = (code: string) => ({
  code: 'bank_returned',
  message: `The bank returned the debit: ${returnCodes[code]?.title.toLowerCase() ?? code}.`,
  retryable: returnCodes[code]?.action === 'present-again',
})

/** @throws Refused if the account has no such intent */
export async function lockIntent(client: Client, id: string, account: string): Promise<IntentRow> {
  const { rows } = await client.query<IntentRow>('SELECT * FROM intent WHERE id = $1 AND account = $2 FOR UPDATE', [
    id,
    account,
  ])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
  return rows[0]
}

/** Applies one transition with its movement and event, in the caller's transaction. */
export async function stepIntent(
  { clock, events, movements }: BankfileDeps,
  client: Client,
  row: IntentRow,
  to: Status,
  patch: Partial<IntentRow> = {},
): Promise<IntentRow> {
  const open: readonly Status[] = steps[row.status]
  if (!open.includes(to)) throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot become ${to}.`)
  const succeeded_at = to === 'succeeded' ? clock.now() : row.succeeded_at
  const next: IntentRow = { ...row, succeeded_at, ...patch, status: to }
  await client.query(
    `UPDATE intent SET status = $2, error = $3, detail = $4, stored_method = $5, return_code = $6, succeeded_at = $7 WHERE id = $1`,
    [
      row.id,
      to,
      next.error && JSON.stringify(next.error),
      next.detail,
      next.stored_method,
      next.return_code,
      next.succeeded_at,
    ],
  )
  const { id, account, amount_cents } = row
  const about = { object: 'intent', object_id: id, intent: id } as const
  if (to === 'succeeded')
    await movements.note(client, { ...about, account, type: 'capture', amount_cents, fee_cents: 0 })
  if (to === 'returned')
    await movements.note(client, { ...about, account, type: 'return', amount_cents: -amount_cents, fee_cents: 0 })
  await events.emit(client, account, `intent.${to}`, about)
  return next
}
