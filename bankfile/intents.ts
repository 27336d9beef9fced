import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import type { Events } from '../provider-kit/events.ts'
import { newId } from '../provider-kit/ids.ts'
import type { Movements } from '../provider-kit/movements.ts'
import { Refused } from '../provider-kit/refused.ts'
import { originatorOf, type WrittenSecCode } from './accounts.ts'
import { methodSummary, useToken } from './details.ts'
import { addEntry, withdraw } from './entries.ts'
import type { AccountType } from './nacha/transaction-codes.ts'
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

const refusal = (code: string, message: string) => ({ code, message, retryable: false })

export const bankError = (code: string) => ({
  code: 'bank_returned',
  message: `The bank returned the debit: ${returnCodes[code]?.title.toLowerCase() ?? code}.`,
  retryable: returnCodes[code]?.action === 'present-again',
})

export type PaymentSource = { token: string } | { payment_method: string; off_session: boolean }

export function openIntents(database: Database, clock: Clock, events: Events, movements: Movements) {
  async function show(client: Pick<Database, 'query'>, row: IntentRow) {
    const { rows } = await client.query<{ last4: string; account_type: AccountType }>(
      'SELECT last4, account_type FROM detail WHERE id = $1',
      [row.detail],
    )
    return {
      id: row.id,
      account: row.account,
      amount_cents: row.amount_cents,
      fee_cents: row.fee_cents,
      refunded_cents: row.refunded_cents,
      method: 'echeck',
      status: row.status,
      error: row.error,
      next_action: null,
      payment_method: rows[0] ? methodSummary(rows[0]) : null,
      return_code: row.return_code,
      description: row.description,
      metadata: row.metadata,
      created_at: row.created_at.toISOString(),
      succeeded_at: row.succeeded_at?.toISOString() ?? null,
    }
  }

  async function lock(client: Client, id: string, account: string): Promise<IntentRow> {
    const { rows } = await client.query<IntentRow>('SELECT * FROM intent WHERE id = $1 AND account = $2 FOR UPDATE', [
      id,
      account,
    ])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
    return rows[0]
  }

  /** Applies one transition with its movement and event, in the caller's transaction. */
  async function step(client: Client, row: IntentRow, to: Status, patch: Partial<IntentRow> = {}): Promise<IntentRow> {
    const open: readonly Status[] = steps[row.status]
    if (!open.includes(to))
      throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot become ${to}.`)
    const next: IntentRow = { ...row, ...patch, status: to }
    if (to === 'succeeded') next.succeeded_at = clock.now()
    await client.query(
      `UPDATE intent SET status = $2, error = $3, detail = $4, stored_method = $5, return_code = $6, succeeded_at = $7 WHERE id = $1`,
      [
        ...[row.id, to, next.error && JSON.stringify(next.error), next.detail, next.stored_method, next.return_code],
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

  async function create(
    client: Client,
    account: string,
    request: { amount_cents: number; fee_cents: number; description: string; metadata: Record<string, unknown> },
  ) {
    await originatorOf(client, account)
    const { rows } = await client.query<IntentRow>(
      `INSERT INTO intent (id, account, amount_cents, fee_cents, status, description, metadata, created_at)
       VALUES ($1, $2, $3, $4, 'requires_confirmation', $5, $6, $7) RETURNING *`,
      [
        ...[newId('pi'), account, request.amount_cents, request.fee_cents, request.description],
        ...[JSON.stringify(request.metadata), clock.now()],
      ],
    )
    return show(client, rows[0] as IntentRow)
  }

  /**
   * Confirms an intent once and queues its debit for the company's next file. An already confirmed intent is returned
   * unchanged.
   */
  async function confirm(
    client: Client,
    account: string,
    id: string,
    source: PaymentSource,
    requestedSecCode: WrittenSecCode | undefined,
  ) {
    const row = await lock(client, id, account)
    if (row.status === 'canceled') throw new Refused(400, 'wrong_state', 'This intent was cancelled.')
    if (row.status !== 'requires_confirmation') return show(client, row)
    const originator = await originatorOf(client, account)
    const { detail, stored, error } =
      'token' in source ? await byToken(client, row, source.token) : await byMethod(client, row, source.payment_method)
    if (detail === null)
      return show(client, await step(client, row, 'failed', { error, return_code: stored?.blocked_by ?? null }))
    const sec = requestedSecCode ?? originator.sec_codes[0] ?? 'WEB'
    if (!originator.sec_codes.includes(sec))
      throw new Refused(400, 'class_not_allowed', `This town's bank does not take entries of ${sec} from it.`)
    await addEntry(client, clock, {
      account,
      kind: 'debit',
      intent: id,
      stored_method: stored?.id ?? null,
      detail,
      amount_cents: row.amount_cents,
      sec_code: sec,
      // R (recurring) if the payer is absent and has a standing authorization.
      payment_type: 'off_session' in source && source.off_session ? 'R' : 'S',
    })
    return show(client, await step(client, row, 'processing', { detail, stored_method: stored?.id ?? null }))
  }

  async function byToken(client: Client, row: IntentRow, token: string): Promise<ResolvedSource> {
    const detail = await useToken(client, clock, row, token)
    return {
      detail,
      stored: null,
      error: refusal('invalid_token', 'The details were used before, are too old, or do not fit.'),
    }
  }

  async function byMethod(client: Client, row: IntentRow, id: string): Promise<ResolvedSource> {
    // Locked, so that a return that blocks the method comes before or after, never in between.
    const { rows } = await client.query<NonNullable<ResolvedSource['stored']> & { detail: string }>(
      `SELECT id, detail, blocked_by FROM stored_method WHERE id = $1 AND account = $2 AND detached_at IS NULL FOR SHARE`,
      [id, row.account],
    )
    const [stored] = rows
    if (!stored)
      return {
        detail: null,
        stored: null,
        error: refusal('payment_method_removed', 'This bank account is not kept any more.'),
      }
    if (stored.blocked_by) return { detail: null, stored, error: bankError(stored.blocked_by) }
    return { detail: stored.detail, stored, error: null }
  }

  /** Cancels an intent with no entry in a file yet. After that, the bank has the debit. */
  async function cancel(client: Client, account: string, id: string) {
    const row = await lock(client, id, account)
    if (row.status === 'canceled') return show(client, row)
    if (row.status === 'processing' && !(await withdraw(client, id)))
      throw new Refused(400, 'in_file', 'It is in a file for the bank: refund it once it is settled.')
    return show(client, await step(client, row, 'canceled'))
  }

  /** Refunds money by a credit in the next file. */
  async function refund(
    client: Client,
    account: string,
    request: { intent: string; amount_cents: number; reason: string; metadata: Record<string, unknown> },
  ) {
    const row = await lock(client, request.intent, account)
    if (row.status !== 'succeeded' || row.detail === null)
      throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot be refunded.`)
    if (request.amount_cents > row.amount_cents - row.refunded_cents)
      throw new Refused(400, 'too_much', 'That is more than is left to refund.')
    const made = { id: newId('re'), account, intent: row.id, amount_cents: request.amount_cents, status: 'pending' }
    const { reason, metadata } = request
    await client.query('UPDATE intent SET refunded_cents = refunded_cents + $2 WHERE id = $1', [
      row.id,
      request.amount_cents,
    ])
    await client.query(
      'INSERT INTO refund (id, account, intent, amount_cents, status, reason, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      [...Object.values(made), reason, JSON.stringify(metadata), clock.now()],
    )
    await addEntry(client, clock, {
      account,
      kind: 'refund',
      intent: row.id,
      refund: made.id,
      detail: row.detail,
      amount_cents: request.amount_cents,
      sec_code: 'PPD',
    })
    return { ...made, reason, metadata }
  }

  async function get(account: string, id: string) {
    const { rows } = await database.query<IntentRow>('SELECT * FROM intent WHERE id = $1 AND account = $2', [
      id,
      account,
    ])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
    return show(database, rows[0])
  }

  return { create, confirm, cancel, refund, get, lock, step }
}
export type Intents = ReturnType<typeof openIntents>

interface ResolvedSource {
  detail: string | null
  stored: { id: string; blocked_by: string | null } | null
  error: IntentRow['error']
}
