import * as z from 'zod/mini'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import { originatorOf } from './accounts.ts'
import { methodSummary, useToken } from './details.ts'
import { addEntry } from './entries.ts'
import type { AccountType } from './nacha/transaction-codes.ts'

export const newCustomer = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z._default(z.string().check(z.maxLength(200)), ''),
  email: z._default(z.string().check(z.maxLength(254)), ''),
})
export const newSetup = z.object({ customer: z.string(), method: z.literal('echeck') })
/** Authorization by the account owner: text, time and device. The network's rules require it as proof. */
const mandate = z.object({
  accepted_at: z.iso.datetime(),
  ip_address: z.string().check(z.maxLength(100)),
  user_agent: z._default(z.string().check(z.maxLength(500)), ''),
  text: z.string().check(z.minLength(1), z.maxLength(5000)),
})
export const setupConfirmation = z.object({
  token: z.string().check(z.maxLength(100)),
  mandate,
  return_url: z.optional(z.string()),
})

interface MethodRow {
  id: string
  customer: string
  created_at: Date
  detached_at: Date | null
  last4: string
  account_type: AccountType
}

const showMethod = (row: MethodRow) => ({
  id: row.id,
  customer: row.customer,
  ...methodSummary(row),
  created_at: row.created_at.toISOString(),
  detached_at: row.detached_at?.toISOString() ?? null,
})

interface SetupRow {
  id: string
  account: string
  customer: string
  status: 'requires_confirmation' | 'succeeded' | 'failed'
  error: { code: string; message: string } | null
  payment_method: string | null
}

const METHODS = `SELECT m.id, m.customer, m.created_at, m.detached_at, d.last4, d.account_type
  FROM stored_method m JOIN detail d ON d.id = m.detail`

/** Manages bank accounts saved for a customer with a mandate, for debits without the customer present. */
export function openStored(database: Database, clock: Clock) {
  async function addCustomer(client: Client, account: string, body: z.output<typeof newCustomer>) {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO customer (id, account, reference, name, email, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account, reference) DO UPDATE SET name = excluded.name, email = excluded.email RETURNING id`,
      [newId('cus'), account, body.reference, body.name, body.email, clock.now()],
    )
    return { id: rows[0]?.id, reference: body.reference }
  }

  async function show(client: Pick<Database, 'query'>, setup: SetupRow) {
    const { rows } = await client.query<MethodRow>(`${METHODS} WHERE m.id = $1`, [setup.payment_method])
    return {
      id: setup.id,
      customer: setup.customer,
      method: 'echeck',
      status: setup.status,
      error: setup.error,
      next_action: null,
      payment_method: rows[0] ? showMethod(rows[0]) : null,
    }
  }

  async function create(client: Client, account: string, request: { customer: string }) {
    const { rows } = await client.query<SetupRow>(
      `INSERT INTO setup (id, account, customer, status, created_at)
       SELECT $1, account, id, 'requires_confirmation', $4 FROM customer WHERE id = $3 AND account = $2 RETURNING *`,
      [newId('seti'), account, request.customer, clock.now()],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such customer.')
    return show(client, rows[0])
  }

  /**
   * Saves the bank account behind a token, with its mandate. If the company uses prenotes, queues one to test the
   * account.
   */
  async function confirm(client: Client, account: string, id: string, request: z.output<typeof setupConfirmation>) {
    const { rows } = await client.query<SetupRow>('SELECT * FROM setup WHERE id = $1 AND account = $2 FOR UPDATE', [
      id,
      account,
    ])
    const [setup] = rows
    if (!setup) throw new Refused(404, 'not_found', 'There is no such setup.')
    if (setup.status !== 'requires_confirmation') return show(client, setup)
    const originator = await originatorOf(client, account)
    const detail = await useToken(client, clock, setup, request.token)
    if (detail === null)
      return show(
        client,
        await end(client, id, 'failed', null, {
          code: 'invalid_token',
          message: 'The details were used before, are too old, or do not fit.',
        }),
      )
    const method = newId('pm')
    await client.query(
      `INSERT INTO stored_method (id, account, customer, detail, mandate, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      [method, account, setup.customer, detail, JSON.stringify(request.mandate), clock.now()],
    )
    if (originator.prenotes)
      await addEntry(client, clock, {
        account,
        kind: 'prenote',
        stored_method: method,
        detail,
        amount_cents: 0,
        sec_code: originator.sec_codes[0] ?? 'WEB',
        payment_type: 'R',
      })
    return show(client, await end(client, id, 'succeeded', method, null))
  }

  async function end(client: Client, id: string, status: string, method: string | null, error: SetupRow['error']) {
    const { rows } = await client.query<SetupRow>(
      'UPDATE setup SET status = $2, payment_method = $3, error = $4 WHERE id = $1 RETURNING *',
      [id, status, method, error && JSON.stringify(error)],
    )
    return rows[0] as SetupRow
  }

  async function get(account: string, id: string) {
    const { rows } = await database.query<SetupRow>('SELECT * FROM setup WHERE id = $1 AND account = $2', [id, account])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such setup.')
    return show(database, rows[0])
  }

  /** Removes a saved bank account. A second call has no effect. */
  async function detach(client: Client, account: string, id: string) {
    await client.query(
      'UPDATE stored_method SET detached_at = coalesce(detached_at, $3) WHERE id = $1 AND account = $2',
      [id, account, clock.now()],
    )
    const { rows } = await client.query<MethodRow>(`${METHODS} WHERE m.id = $1 AND m.account = $2`, [id, account])
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such method.')
    return showMethod(rows[0])
  }

  async function list(account: string, customer: string) {
    const { rows } = await database.query<MethodRow>(
      `${METHODS} WHERE m.customer = $1 AND m.account = $2 AND m.detached_at IS NULL ORDER BY m.created_at, m.id`,
      [customer, account],
    )
    return { data: rows.map(showMethod) }
  }

  return { addCustomer, create, confirm, get, detach, list }
}
