import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import type { Events } from '../provider-kit/events.ts'
import type { Movement, Movements } from '../provider-kit/movements.ts'
import { costOf } from './payouts.ts'
import { Refused } from '../provider-kit/refused.ts'
import {
  type BankRefusal,
  bankRefusals,
  type DueStep,
  type Outcome,
  outcomes,
  RETURN_AFTER_MS,
  type Scenario,
} from './scenarios.ts'
import { outcomeOfStored, useStored } from './stored.ts'
import { newId } from '../provider-kit/ids.ts'
import { type Method, useToken } from './tokens.ts'

/** Allowed transitions of an intent. All others are refused. */
const steps = {
  requires_confirmation: ['requires_action', 'processing', 'succeeded', 'failed', 'canceled'],
  requires_action: ['processing', 'succeeded', 'failed', 'canceled'],
  processing: ['succeeded', 'failed'],
  succeeded: ['returned', 'canceled'],
  failed: [],
  canceled: [],
  returned: [],
} as const
export type Status = keyof typeof steps

interface Row {
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

const BAD_TOKEN = {
  code: 'invalid_token',
  message: 'The details were used before, are too old, or do not fit.',
  retryable: true,
}
const NOT_STORED = {
  code: 'payment_method_removed',
  message: 'This card or bank account is not kept any more.',
  retryable: false,
}

/**
 * Payment source of an intent: a single-use token of hosted fields, a stored method (possibly off-session), or the
 * source of an earlier intent (always off-session).
 */
export type PaymentSource = { token: string } | { payment_method: string; off_session: boolean } | { same_as: string }

export function openIntents(
  database: Database,
  clock: Clock,
  events: Events,
  movements: Movements,
  publicOrigin: () => string,
) {
  const show = (row: Row) => ({
    id: row.id,
    account: row.account,
    amount_cents: row.amount_cents,
    fee_cents: row.fee_cents,
    refunded_cents: row.refunded_cents,
    method: row.method,
    status: row.status,
    error: row.error,
    next_action:
      row.status !== 'requires_action'
        ? null
        : row.reader
          ? { type: 'terminal', url: `${publicOrigin()}/terminal/${row.reader}` }
          : { type: 'challenge', url: `${publicOrigin()}/challenge/${row.id}` },
    payment_method: row.payment_method,
    return_code: row.return_code,
    disputed: row.disputed,
    description: row.description,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    succeeded_at: row.succeeded_at?.toISOString() ?? null,
  })

  async function lock(client: Client, id: string, account: string | null): Promise<Row> {
    const { rows } = await client.query<Row>(
      'SELECT * FROM intent WHERE id = $1 AND ($2::text IS NULL OR account = $2) FOR UPDATE',
      [id, account],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
    return rows[0]
  }

  const note = (client: Client, method: Row['method'], moved: Omit<Movement, 'fee_cents'>) =>
    movements.note(client, { ...moved, fee_cents: costOf(moved.type, method, moved.amount_cents) })

  /** Applies one transition with its event, in the caller's transaction. */
  async function step(client: Client, row: Row, to: Status, facts: Partial<Row> = {}): Promise<Row> {
    const open: readonly Status[] = steps[row.status]
    if (!open.includes(to))
      throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot become ${to}.`)
    const next: Row = { ...row, due_step: null, due_at: null, ...facts, status: to }
    if (to === 'succeeded') next.succeeded_at = clock.now()
    await client.query(
      `UPDATE intent SET status = $2, error = $3, payment_method = $4, scenario = $5, return_code = $6, succeeded_at = $7, due_step = $8, due_at = $9, return_url = $10, reader = $11 WHERE id = $1`,
      [
        ...[
          row.id,
          to,
          next.error && JSON.stringify(next.error),
          next.payment_method && JSON.stringify(next.payment_method),
          next.scenario,
        ],
        ...[next.return_code, next.succeeded_at, next.due_step, next.due_at, next.return_url, next.reader],
      ],
    )
    const { id, account, amount_cents } = row
    const moved = { account, intent: id, object: 'intent', object_id: id } as const
    if (to === 'succeeded') await note(client, row.method, { ...moved, type: 'capture', amount_cents })
    if (to === 'returned') await note(client, row.method, { ...moved, type: 'return', amount_cents: -amount_cents })
    await events.emit(client, account, `intent.${to}`, { object: 'intent', object_id: id, intent: id })
    return next
  }

  const later = (then: { step: DueStep; afterMs: number } | undefined) =>
    then ? { due_step: then.step, due_at: new Date(clock.now().getTime() + then.afterMs) } : {}

  async function create(
    client: Client,
    account: string,
    wish: {
      amount_cents: number
      fee_cents: number
      method: 'card' | 'echeck'
      description: string
      metadata: Record<string, unknown>
    },
  ) {
    const { rows } = await client.query<Row>(
      `INSERT INTO intent (id, account, amount_cents, fee_cents, method, status, description, metadata, created_at)
       VALUES ($1, $2, $3, $4, $5, 'requires_confirmation', $6, $7, $8) RETURNING *`,
      [
        newId('pi'),
        account,
        wish.amount_cents,
        wish.fee_cents,
        wish.method,
        wish.description,
        JSON.stringify(wish.metadata),
        clock.now(),
      ],
    )
    return show(rows[0] as Row)
  }

  /** Source that paid an intent. */
  async function usedBy(client: Client, { account, method }: Row, id: string) {
    const { rows } = await client.query<{ method: Method; scenario: Scenario }>(
      `SELECT payment_method AS method, scenario FROM intent
       WHERE id = $1 AND account = $2 AND method = $3 AND succeeded_at IS NOT NULL AND payment_method IS NOT NULL`,
      [id, account, method],
    )
    return rows[0] ?? null
  }

  /** Confirms an intent once. A confirmed intent is returned unchanged, and a cancelled one is refused. */
  async function confirm(client: Client, account: string, id: string, means: PaymentSource, returnUrl: string | null) {
    const row = await lock(client, id, account)
    if (row.status === 'canceled') throw new Refused(400, 'wrong_state', 'This intent was cancelled.')
    if (row.status !== 'requires_confirmation') return show(row)
    const isToken = 'token' in means
    const used = isToken
      ? await useToken(client, clock, row, means.token)
      : 'same_as' in means
        ? await usedBy(client, row, means.same_as)
        : await useStored(client, row, means.payment_method)
    if (!used) return show(await step(client, row, 'failed', { error: isToken ? BAD_TOKEN : NOT_STORED }))
    const isAway = 'same_as' in means || ('off_session' in means && means.off_session)
    const outcome: Outcome = isToken ? outcomes[used.scenario] : outcomeOfStored(used, clock.now(), isAway)
    const facts = {
      payment_method: used.method,
      scenario: used.scenario,
      error: outcome.error ?? null,
      return_url: returnUrl,
    }
    return show(await step(client, row, outcome.status, { ...facts, ...later(outcome.then) }))
  }

  const cancel = async (client: Client, account: string, id: string) => {
    const row = await lock(client, id, account)
    // A paid intent cannot be cancelled. A caller who knows of the payment can void it.
    if (row.status === 'succeeded')
      throw new Refused(400, 'wrong_state', 'An intent that succeeded is voided, not cancelled.')
    return show(row.status === 'canceled' ? row : await step(client, row, 'canceled'))
  }

  /**
   * Voids a charge of the current day in full. After the day ends (UTC), the charge is settled and must be refunded.
   */
  const voidIntent = async (client: Client, account: string, id: string) => {
    const row = await lock(client, id, account)
    if (row.status === 'canceled' && row.succeeded_at) return show(row)
    if (row.status !== 'succeeded' || row.refunded_cents > 0 || row.disputed)
      throw new Refused(400, 'wrong_state', `An intent that is ${row.status}, refunded or disputed cannot be voided.`)
    const day = (at: Date | null) => at?.toISOString().slice(0, 10)
    if (day(row.succeeded_at) !== day(clock.now())) throw new Refused(400, 'settled', 'It is settled: refund it.')
    const voided = await step(client, row, 'canceled')
    const { account: of, amount_cents } = row
    const moved = { account: of, intent: id, object: 'intent', object_id: id } as const
    await note(client, row.method, { ...moved, type: 'void', amount_cents: -amount_cents })
    return show(voided)
  }

  /** Records the payer's response to the challenge. A second response changes nothing. */
  const answerChallenge = (id: string, approved: boolean) =>
    database.transact(async (client) => {
      const row = await lock(client, id, null)
      if (row.status === 'requires_action' && row.reader === null) {
        const error = { code: 'authentication_failed', message: 'The payer could not be confirmed.', retryable: true }
        await (approved ? step(client, row, 'succeeded') : step(client, row, 'failed', { error }))
      }
      return { returnUrl: row.return_url }
    })

  /** Makes a card reader wait for a card. If the reader already has this charge, the charge is returned unchanged. */
  async function present(client: Client, account: string, id: string, reader: string) {
    const row = await lock(client, id, account)
    if (row.status === 'canceled') throw new Refused(400, 'wrong_state', 'This intent was cancelled.')
    if (row.status !== 'requires_confirmation') return show(row)
    return show(await step(client, row, 'requires_action', { reader }))
  }

  /** Amount in cents that a reader waits for. Null if it no longer waits. */
  async function waitsOn(client: Client, id: string): Promise<number | null> {
    const row = await lock(client, id, null)
    return row.status === 'requires_action' ? row.amount_cents : null
  }

  /** Records a tapped card or its absence. A completed charge stays unchanged. */
  async function tapped(
    client: Client,
    id: string,
    card: { method: Method; scenario: Scenario } | undefined,
    otherwise: string,
  ): Promise<void> {
    const row = await lock(client, id, null)
    if (row.status !== 'requires_action' || row.reader === null) return
    const error = { code: 'reader_gave_up', message: otherwise, retryable: true }
    const outcome: Outcome = card ? outcomes[card.scenario] : { status: 'failed', error }
    const facts = {
      payment_method: card?.method ?? null,
      scenario: card?.scenario ?? null,
      error: outcome.error ?? null,
    }
    await step(client, row, outcome.status, { ...facts, ...later(outcome.then) })
  }

  async function refund(
    client: Client,
    account: string,
    wish: { intent: string; amount_cents: number; reason: string; metadata: Record<string, unknown> },
  ) {
    const row = await lock(client, wish.intent, account)
    if (row.status !== 'succeeded')
      throw new Refused(400, 'wrong_state', `An intent that is ${row.status} cannot be refunded.`)
    if (wish.amount_cents > row.amount_cents - row.refunded_cents)
      throw new Refused(400, 'too_much', 'That is more than is left to refund.')
    const refund = {
      id: newId('re'),
      account,
      intent: row.id,
      amount_cents: wish.amount_cents,
      status: 'succeeded',
      reason: wish.reason,
      metadata: wish.metadata,
    }
    await client.query('UPDATE intent SET refunded_cents = refunded_cents + $2 WHERE id = $1', [
      row.id,
      wish.amount_cents,
    ])
    await client.query(
      'INSERT INTO refund (id, account, intent, amount_cents, status, reason, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      [...Object.values(refund), clock.now()],
    )
    const about = { object: 'refund', object_id: refund.id, intent: row.id } as const
    await note(client, row.method, { ...about, account, type: 'refund', amount_cents: -wish.amount_cents })
    await events.emit(client, account, 'refund.succeeded', about)
    return refund
  }

  /** Applies all transitions that are due by the gateway's clock. */
  async function advance(): Promise<number> {
    for (let done = 0; ; done++) {
      const more = await database.transact(async (client) => {
        const { rows } = await client.query<Row>(
          'SELECT * FROM intent WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED',
          [clock.now()],
        )
        if (rows[0]) await comeDue(client, rows[0])
        return Boolean(rows[0])
      })
      if (!more) return done
    }
  }

  async function comeDue(client: Client, row: Row): Promise<void> {
    switch (row.due_step) {
      case 'succeed':
        await step(client, row, 'succeeded')
        return
      case 'fail_R01':
      case 'fail_R02':
      case 'fail_R03':
      case 'fail_R07': {
        const code = row.due_step.slice('fail_'.length) as BankRefusal
        const error = { code: 'bank_account_unusable', message: bankRefusals[code], retryable: code === 'R01' }
        await step(client, row, 'failed', { error, return_code: code })
        return
      }
      case 'succeed_then_R10':
        await step(client, row, 'succeeded', later({ step: 'return_R10', afterMs: RETURN_AFTER_MS }))
        return
      case 'return_R10':
        await step(client, row, 'returned', { return_code: 'R10' })
        return
      case 'dispute': {
        const id = newId('dp')
        await client.query('UPDATE intent SET disputed = true, due_step = NULL, due_at = NULL WHERE id = $1', [row.id])
        await client.query(
          `INSERT INTO dispute (id, account, intent, amount_cents, status, created_at) VALUES ($1, $2, $3, $4, 'needs_response', $5)`,
          [...[id, row.account, row.id, row.amount_cents, clock.now()]],
        )
        const about = { object: 'dispute', object_id: id, intent: row.id } as const
        const amount_cents = -row.amount_cents
        await note(client, row.method, { ...about, account: row.account, type: 'dispute', amount_cents })
        await events.emit(client, row.account, 'dispute.created', about)
        return
      }
      case null:
    }
  }

  /**
   * Decides a dispute on behalf of the bank, for tests. If it is won, the amount is credited. A decided dispute stays
   * unchanged.
   */
  const decideDispute = (intent: string, decision: 'won' | 'lost') =>
    database.transact(async (client) => {
      const { rows } = await client.query<{ id: string; account: string; amount_cents: number }>(
        `UPDATE dispute SET status = $2 WHERE intent = $1 AND status NOT IN ('won', 'lost') RETURNING id, account, amount_cents`,
        [intent, decision],
      )
      if (!rows[0]) throw new Refused(404, 'not_found', 'This intent has no open dispute.')
      const { id, account, amount_cents } = rows[0]
      const about = { object: 'dispute', object_id: id, intent } as const
      const type = `dispute_${decision}` as const
      await note(client, 'card', { ...about, account, type, amount_cents: decision === 'won' ? amount_cents : 0 })
      await events.emit(client, account, 'dispute.closed', about)
      return { id, status: decision }
    })

  /** Current state of an intent. Applies due transitions first, so that the state never lags behind the clock. */
  async function get(account: string, id: string) {
    await advance()
    const { rows } = await database.query<Row>('SELECT * FROM intent WHERE id = $1 AND account = $2', [id, account])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
    return show(rows[0])
  }

  async function list(account: string, after: number, limit: number) {
    await advance()
    const { rows } = await database.query<Row>(
      'SELECT * FROM intent WHERE account = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [account, after, limit],
    )
    return { intents: rows.map(show), after: rows.at(-1)?.seq ?? after }
  }

  return {
    create,
    confirm,
    cancel,
    present,
    waitsOn,
    tapped,
    voidIntent,
    refund,
    answerChallenge,
    decideDispute,
    advance,
    get,
    list,
  }
}
export type Intents = ReturnType<typeof openIntents>
