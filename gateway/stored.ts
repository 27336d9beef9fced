import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { brandOf, isExpired } from '../provider-kit/numbers.ts'
import { Refused } from '../provider-kit/refused.ts'
import {
  EXPIRED,
  type Outcome,
  outcomes,
  refuseStoring,
  type Scenario,
  TEST_BANK,
  testBankAccounts,
  testCards,
  testMethods,
  withoutPayer,
} from './scenarios.ts'
import { newId } from '../provider-kit/ids.ts'
import { type Method, useToken } from './tokens.ts'

interface StoredMethod {
  id: string
  account: string
  customer: string
  type: 'card' | 'echeck'
  method: Method
  scenario: Scenario
  mandate: unknown
  created_at: Date
  detached_at: Date | null
}

interface Setup {
  id: string
  account: string
  customer: string
  method: 'card' | 'echeck'
  status: 'requires_confirmation' | 'requires_action' | 'succeeded' | 'failed'
  error: Outcome['error'] | null
  payment_method: string | null
  waiting: PendingSetup | null
  return_url: string | null
}

/** Method that a setup stores after its owner approves. */
interface PendingSetup {
  method: Method
  scenario: Scenario
  mandate: unknown
}

const showMethod = ({ id, customer, method, created_at, detached_at }: StoredMethod) => ({
  id,
  customer,
  ...method,
  created_at: created_at.toISOString(),
  detached_at: detached_at?.toISOString() ?? null,
})

interface Confirmation {
  token: string
  mandate?: unknown
  return_url?: string | undefined
}

const INVALID_TOKEN = {
  code: 'invalid_token',
  message: 'The details were used before, are too old, or do not fit.',
  retryable: true,
}

/** Stored methods of customers for off-session charges. */
export function openStored(database: Database, clock: Clock, publicOrigin: () => string) {
  async function addCustomer(
    client: Client,
    account: string,
    { reference, name, email }: { reference: string; name: string; email: string },
  ) {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO customer (id, account, reference, name, email, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account, reference) DO UPDATE SET name = excluded.name, email = excluded.email RETURNING id`,
      [newId('cus'), account, reference, name, email, clock.now()],
    )
    return { id: rows[0]?.id, reference }
  }

  async function methodsOf(client: Pick<Database, 'query'>, ids: readonly (string | null)[]): Promise<StoredMethod[]> {
    const { rows } = await client.query<StoredMethod>('SELECT * FROM stored_method WHERE id = ANY ($1)', [ids])
    return rows
  }

  async function show(client: Pick<Database, 'query'>, setup: Setup) {
    const [method] = await methodsOf(client, [setup.payment_method])
    return {
      id: setup.id,
      customer: setup.customer,
      method: setup.method,
      status: setup.status,
      error: setup.error,
      next_action:
        setup.status === 'requires_action'
          ? { type: 'challenge', url: `${publicOrigin()}/challenge/${setup.id}` }
          : null,
      payment_method: method ? showMethod(method) : null,
    }
  }

  async function create(client: Client, account: string, wish: { customer: string; method: 'card' | 'echeck' }) {
    const { rows } = await client.query<Setup>(
      `INSERT INTO setup (id, account, customer, method, status, created_at)
       SELECT $1, account, id, $4, 'requires_confirmation', $5 FROM customer WHERE id = $3 AND account = $2 RETURNING *`,
      [newId('seti'), account, wish.customer, wish.method, clock.now()],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such customer.')
    return show(client, rows[0])
  }

  /**
   * A card that requires a challenge waits for its owner if `return_url` is set. Otherwise it is stored immediately.
   */
  async function confirm(client: Client, account: string, id: string, wish: Confirmation) {
    const { token, mandate, return_url } = wish
    const { rows } = await client.query<Setup>('SELECT * FROM setup WHERE id = $1 AND account = $2 FOR UPDATE', [
      id,
      account,
    ])
    const [setup] = rows
    if (!setup) throw new Refused(404, 'not_found', 'There is no such setup.')
    if (setup.status !== 'requires_confirmation') return show(client, setup)
    if (setup.method === 'echeck' && !mandate)
      throw new Refused(400, 'mandate_required', 'A bank account is kept with a mandate alone.')
    const used = await useToken(client, clock, setup, token)
    if (!used) return show(client, await end(client, setup, { error: INVALID_TOKEN }))
    const error = refuseStoring(used.scenario)
    if (error) return show(client, await end(client, setup, { error }))
    const waiting: PendingSetup = { method: used.method, scenario: used.scenario, mandate: mandate ?? null }
    if (used.scenario !== 'challenge' || !return_url) return show(client, await end(client, setup, { stored: waiting }))
    const { rows: asked } = await client.query<Setup>(
      `UPDATE setup SET status = 'requires_action', waiting = $2, return_url = $3 WHERE id = $1 RETURNING *`,
      [id, JSON.stringify(waiting), return_url],
    )
    return show(client, asked[0] as Setup)
  }

  /** Ends a setup with the stored method or with an error. */
  async function end(
    client: Client,
    setup: Setup,
    outcome: { stored: PendingSetup } | { error: NonNullable<Outcome['error']> },
  ): Promise<Setup> {
    const kept = 'stored' in outcome ? newId('pm') : null
    if ('stored' in outcome)
      await client.query(
        `INSERT INTO stored_method (id, account, customer, type, method, scenario, mandate, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          kept,
          setup.account,
          setup.customer,
          setup.method,
          JSON.stringify(outcome.stored.method),
          outcome.stored.scenario,
          outcome.stored.mandate && JSON.stringify(outcome.stored.mandate),
          clock.now(),
        ],
      )
    const { rows } = await client.query<Setup>(
      'UPDATE setup SET status = $2, error = $3, payment_method = $4, waiting = NULL WHERE id = $1 RETURNING *',
      [setup.id, kept ? 'succeeded' : 'failed', 'error' in outcome ? JSON.stringify(outcome.error) : null, kept],
    )
    return rows[0] as Setup
  }

  /** Records the owner's response to the bank's challenge. A second response changes nothing. */
  const answerChallenge = (id: string, approved: boolean) =>
    database.transact(async (client) => {
      const { rows } = await client.query<Setup>('SELECT * FROM setup WHERE id = $1 FOR UPDATE', [id])
      const [setup] = rows
      if (!setup) throw new Refused(404, 'not_found', 'There is no such setup.')
      const error = { code: 'authentication_failed', message: 'The bank could not confirm its owner.', retryable: true }
      if (setup.status === 'requires_action' && setup.waiting)
        await end(client, setup, approved ? { stored: setup.waiting } : { error })
      return { returnUrl: setup.return_url }
    })

  async function get(account: string, id: string) {
    const { rows } = await database.query<Setup>('SELECT * FROM setup WHERE id = $1 AND account = $2', [id, account])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such setup.')
    return show(database, rows[0])
  }

  /** Detaches a stored method. A second call changes nothing. */
  async function detach(client: Client, account: string, id: string) {
    const everybodys = published(id)
    // Published test methods belong to no customer, so they cannot be detached.
    if (everybodys) return { id, customer: '', ...everybodys.method, created_at: '', detached_at: null }
    const { rows } = await client.query<StoredMethod>(
      'UPDATE stored_method SET detached_at = coalesce(detached_at, $3) WHERE id = $1 AND account = $2 RETURNING *',
      [id, account, clock.now()],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such method.')
    return showMethod(rows[0])
  }

  async function list(account: string, customer: string) {
    const { rows } = await database.query<StoredMethod>(
      `SELECT * FROM stored_method WHERE customer = $1 AND account = $2 AND detached_at IS NULL ORDER BY created_at, id`,
      [customer, account],
    )
    return { data: rows.map(showMethod) }
  }

  return { addCustomer, create, confirm, answerChallenge, get, detach, list }
}
export type StoredMethods = ReturnType<typeof openStored>

/** Published test method for an id. The user may add any text after the colon. */
function published(id: string): { type: string; method: Method; scenario: Scenario } | null {
  const known = testMethods[id.replace(/:.*$/, '')]
  if (!known) return null
  const { type, number } = known
  const scenario = (type === 'card' ? testCards : testBankAccounts)[number] ?? 'ok'
  const method: Method = {
    type,
    brand: type === 'card' ? brandOf(number) : null,
    last4: number.slice(-4),
    exp_month: null,
    exp_year: null,
    bank_name: type === 'card' ? null : TEST_BANK,
    account_type: type === 'card' ? null : 2,
  }
  return { type, method, scenario }
}

/** Loads a method that is still stored, for this account and type. */
export async function useStored(client: Client, intent: { account: string; method: string }, id: string) {
  const everybodys = published(id)
  if (everybodys) return everybodys.type === intent.method ? everybodys : null
  const { rows } = await client.query<{ method: Method; scenario: Scenario }>(
    'SELECT method, scenario FROM stored_method WHERE id = $1 AND account = $2 AND type = $3 AND detached_at IS NULL',
    [id, intent.account, intent.method],
  )
  return rows[0] ?? null
}

/**
 * Result of charging a stored method, which may have expired. `isAway` is true if the owner cannot answer a challenge.
 */
export function outcomeOfStored(
  { method, scenario }: { method: Method; scenario: Scenario },
  now: Date,
  isAway: boolean,
): Outcome {
  const { exp_month, exp_year } = method
  if (exp_month !== null && exp_year !== null && isExpired(exp_month, exp_year, now)) return EXPIRED
  return isAway ? withoutPayer(scenario) : outcomes[scenario]
}
