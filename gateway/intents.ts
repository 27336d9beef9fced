import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { applyDueSteps } from './due-steps.ts'
import { dueLater, type IntentRow, lockIntent, noteMovement, stepIntent } from './intent-steps.ts'
import { type Outcome, outcomes, type Scenario } from './scenarios.ts'
import { outcomeOfStored, useStored } from './stored-methods.ts'
import { type Method, useToken } from './tokens.ts'

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
 * Payment source of an intent. A hosted-field token works once. A stored method may be charged off-session, which means
 * without the payer present. The source of an earlier intent (`same_as`) is always charged off-session.
 */
export type PaymentSource = { token: string } | { payment_method: string; off_session: boolean } | { same_as: string }

/** Returns an intent as the API shows it. */
export const intentView = ({ publicOrigin }: GatewayDeps, row: IntentRow) => ({
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

export async function createIntent(
  deps: GatewayDeps,
  client: Client,
  account: string,
  request: Pick<IntentRow, 'amount_cents' | 'fee_cents' | 'method' | 'description' | 'metadata'>,
) {
  const { amount_cents, fee_cents, method, description, metadata } = request
  const { rows } = await client.query<IntentRow>(
    `INSERT INTO intent (id, account, amount_cents, fee_cents, method, status, description, metadata, created_at)
     VALUES ($1, $2, $3, $4, $5, 'requires_confirmation', $6, $7, $8) RETURNING *`,
    [newId('pi'), account, amount_cents, fee_cents, method, description, JSON.stringify(metadata), deps.clock.now()],
  )
  return intentView(deps, rows[0] as IntentRow)
}

/** Confirms an intent once. Returns a confirmed intent unchanged, and refuses a cancelled intent. */
export async function confirmIntent(
  deps: GatewayDeps,
  client: Client,
  { account, id, source, returnUrl }: { account: string; id: string; source: PaymentSource; returnUrl: string | null },
) {
  const row = await lockIntent(client, id, account)
  if (row.status === 'canceled') throw new Refused(400, 'wrong_state', 'This intent was cancelled.')
  if (row.status !== 'requires_confirmation') return intentView(deps, row)
  const isToken = 'token' in source
  const used = isToken
    ? await useToken(client, deps.clock, row, source.token)
    : 'same_as' in source
      ? await methodOfIntent(client, row, source.same_as)
      : await useStored(client, row, source.payment_method)
  if (!used)
    return intentView(deps, await stepIntent(deps, client, row, 'failed', { error: isToken ? BAD_TOKEN : NOT_STORED }))
  const isOffSession = 'same_as' in source || ('off_session' in source && source.off_session)
  const outcome: Outcome = isToken ? outcomes[used.scenario] : outcomeOfStored(used, deps.clock.now(), isOffSession)
  const next = await stepIntent(deps, client, row, outcome.status, {
    payment_method: used.method,
    scenario: used.scenario,
    error: outcome.error ?? null,
    return_url: returnUrl,
    ...dueLater(deps.clock, outcome.then),
  })
  return intentView(deps, next)
}

/** Finds the payment method of another paid intent of the same account. */
async function methodOfIntent(client: Client, { account, method }: IntentRow, id: string) {
  const { rows } = await client.query<{ method: Method; scenario: Scenario }>(
    `SELECT payment_method AS method, scenario FROM intent
     WHERE id = $1 AND account = $2 AND method = $3 AND succeeded_at IS NOT NULL AND payment_method IS NOT NULL`,
    [id, account, method],
  )
  return rows[0] ?? null
}

export async function cancelIntent(deps: GatewayDeps, client: Client, account: string, id: string) {
  const row = await lockIntent(client, id, account)
  // Refuses a paid intent, because the caller may not know that the payer has paid. A caller who knows about the
  // payment can void the intent.
  if (row.status === 'succeeded')
    throw new Refused(400, 'wrong_state', 'An intent that succeeded is voided, not cancelled.')
  return intentView(deps, row.status === 'canceled' ? row : await stepIntent(deps, client, row, 'canceled'))
}

/**
 * Voids the full amount of a charge that succeeded on the current day (UTC). After that day, the charge is settled and
 * can only be refunded.
 */
export async function voidIntent(deps: GatewayDeps, client: Client, account: string, id: string) {
  const row = await lockIntent(client, id, account)
  if (row.status === 'canceled' && row.succeeded_at) return intentView(deps, row)
  if (row.status !== 'succeeded' || row.refunded_cents > 0 || row.disputed)
    throw new Refused(400, 'wrong_state', `An intent that is ${row.status}, refunded or disputed cannot be voided.`)
  const day = (at: Date | null) => at?.toISOString().slice(0, 10)
  if (day(row.succeeded_at) !== day(deps.clock.now())) throw new Refused(400, 'settled', 'It is settled: refund it.')
  const voided = await stepIntent(deps, client, row, 'canceled')
  const about = { account, intent: id, object: 'intent', object_id: id } as const
  await noteMovement(deps.movements, client, row.method, { ...about, type: 'void', amount_cents: -row.amount_cents })
  return intentView(deps, voided)
}

/** Records the payer's response to the bank's challenge. A second response changes nothing. */
export const resolveIntentChallenge = (deps: GatewayDeps, id: string, approved: boolean) =>
  deps.database.transact(async (client) => {
    const row = await lockIntent(client, id, null)
    if (row.status === 'requires_action' && row.reader === null) {
      const error = { code: 'authentication_failed', message: 'The payer could not be confirmed.', retryable: true }
      await (approved ? stepIntent(deps, client, row, 'succeeded') : stepIntent(deps, client, row, 'failed', { error }))
    }
    return { returnUrl: row.return_url }
  })

/** Returns the current state of an intent. Applies due transitions first, so that the state matches the clock. */
export async function getIntent(deps: GatewayDeps, account: string, id: string) {
  await applyDueSteps(deps)
  const { rows } = await deps.database.query<IntentRow>('SELECT * FROM intent WHERE id = $1 AND account = $2', [
    id,
    account,
  ])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
  return intentView(deps, rows[0])
}

export async function listIntents(deps: GatewayDeps, account: string, after: number, limit: number) {
  await applyDueSteps(deps)
  const { rows } = await deps.database.query<IntentRow>(
    'SELECT * FROM intent WHERE account = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    [account, after, limit],
  )
  return { intents: rows.map((row) => intentView(deps, row)), after: rows.at(-1)?.seq ?? after }
}
