import * as z from 'zod/mini'
import { idString, mandate } from '../provider-kit/bodies.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { type Outcome, refuseStoring, type Scenario } from './scenarios.ts'
import { findStoredMethod } from './stored-methods.ts'
import { type Method, useToken } from './tokens.ts'

/** Setup of a stored payment method, possibly with a challenge by the owner's bank. */
interface Setup {
  id: string
  account: string
  customer: string
  method: 'card' | 'echeck'
  status: 'requires_confirmation' | 'requires_action' | 'succeeded' | 'failed'
  error: Outcome['error'] | null
  payment_method: string | null
  pending_method: PendingMethod | null
  return_url: string | null
}

/** Payment method that a setup stores after the owner passes the bank's challenge. */
interface PendingMethod {
  method: Method
  scenario: Scenario
  mandate: unknown
}

export const newSetup = z.object({ customer: z.string(), method: z.enum(['card', 'echeck']) })
export const setupConfirmation = z.object({
  token: idString,
  mandate: z.optional(mandate),
  return_url: z.optional(z.string().check(z.maxLength(2000))),
})

const INVALID_TOKEN = {
  code: 'invalid_token',
  message: 'The details were used before, are too old, or do not fit.',
  retryable: true,
}

async function setupView({ publicOrigin }: GatewayDeps, client: Pick<Database, 'query'>, setup: Setup) {
  return {
    id: setup.id,
    customer: setup.customer,
    method: setup.method,
    status: setup.status,
    error: setup.error,
    next_action:
      setup.status === 'requires_action' ? { type: 'challenge', url: `${publicOrigin()}/challenge/${setup.id}` } : null,
    payment_method: await findStoredMethod(client, setup.payment_method),
  }
}

/**
 * Returns the setup from a query result.
 * @throws Refused if the setup does not exist
 */
function expectSetup([setup]: Setup[]): Setup {
  if (!setup) throw new Refused(404, 'not_found', 'There is no such setup.')
  return setup
}

export async function createSetup(
  deps: GatewayDeps,
  client: Client,
  account: string,
  { customer, method }: z.output<typeof newSetup>,
) {
  const { rows } = await client.query<Setup>(
    `INSERT INTO setup (id, account, customer, method, status, created_at)
     SELECT $1, account, id, $4, 'requires_confirmation', $5 FROM customer WHERE id = $3 AND account = $2 RETURNING *`,
    [newId('seti'), account, customer, method, deps.clock.now()],
  )
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such customer.')
  return setupView(deps, client, rows[0])
}

export async function getSetup(deps: GatewayDeps, account: string, id: string) {
  const { rows } = await deps.database.query<Setup>('SELECT * FROM setup WHERE id = $1 AND account = $2', [id, account])
  return setupView(deps, deps.database, expectSetup(rows))
}

/**
 * Confirms a setup. If the card requires a challenge and `return_url` is set, the setup waits for the owner. Otherwise
 * the setup stores the payment method immediately.
 */
export async function confirmSetup(
  deps: GatewayDeps,
  client: Client,
  account: string,
  id: string,
  { token, mandate, return_url }: z.output<typeof setupConfirmation>,
) {
  const { rows } = await client.query<Setup>('SELECT * FROM setup WHERE id = $1 AND account = $2 FOR UPDATE', [
    id,
    account,
  ])
  const setup = expectSetup(rows)
  if (setup.status !== 'requires_confirmation') return setupView(deps, client, setup)
  if (setup.method === 'echeck' && !mandate)
    throw new Refused(400, 'mandate_required', 'A bank account is kept with a mandate alone.')
  const used = await useToken(client, deps.clock, setup, token)
  const error = used ? refuseStoring(used.scenario) : INVALID_TOKEN
  if (!used || error) return setupView(deps, client, await failSetup(client, setup, error ?? INVALID_TOKEN))
  const pending: PendingMethod = { method: used.method, scenario: used.scenario, mandate: mandate ?? null }
  if (used.scenario !== 'challenge' || !return_url)
    return setupView(deps, client, await storeMethod(deps, client, setup, pending))
  const { rows: updated } = await client.query<Setup>(
    `UPDATE setup SET status = 'requires_action', pending_method = $2, return_url = $3 WHERE id = $1 RETURNING *`,
    [id, JSON.stringify(pending), return_url],
  )
  return setupView(deps, client, expectSetup(updated))
}

async function storeMethod({ clock }: GatewayDeps, client: Client, setup: Setup, pending: PendingMethod) {
  const method = newId('pm')
  await client.query(
    `INSERT INTO stored_method (id, account, customer, type, method, scenario, mandate, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      method,
      setup.account,
      setup.customer,
      setup.method,
      JSON.stringify(pending.method),
      pending.scenario,
      pending.mandate && JSON.stringify(pending.mandate),
      clock.now(),
    ],
  )
  const { rows } = await client.query<Setup>(
    `UPDATE setup SET status = 'succeeded', error = NULL, payment_method = $2, pending_method = NULL WHERE id = $1 RETURNING *`,
    [setup.id, method],
  )
  return expectSetup(rows)
}

async function failSetup(client: Client, { id }: Setup, error: NonNullable<Outcome['error']>): Promise<Setup> {
  const { rows } = await client.query<Setup>(
    `UPDATE setup SET status = 'failed', error = $2, payment_method = NULL, pending_method = NULL WHERE id = $1 RETURNING *`,
    [id, JSON.stringify(error)],
  )
  return expectSetup(rows)
}

/** Records the owner's response to the bank's challenge. A second response changes nothing. */
export const resolveSetupChallenge = (deps: GatewayDeps, id: string, approved: boolean) =>
  deps.database.transact(async (client) => {
    const { rows } = await client.query<Setup>('SELECT * FROM setup WHERE id = $1 FOR UPDATE', [id])
    const setup = expectSetup(rows)
    const error = { code: 'authentication_failed', message: 'The bank could not confirm its owner.', retryable: true }
    if (setup.status === 'requires_action' && setup.pending_method)
      await (approved ? storeMethod(deps, client, setup, setup.pending_method) : failSetup(client, setup, error))
    return { returnUrl: setup.return_url }
  })
