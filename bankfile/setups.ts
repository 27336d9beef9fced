import * as z from 'zod/mini'
import { idString, mandate } from '../provider-kit/bodies.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import { originatorOf } from './accounts.ts'
import type { BankfileDeps } from './deps.ts'
import { useToken } from './details.ts'
import { addEntry } from './entries.ts'
import { findStoredMethod } from './stored-methods.ts'

export const newSetup = z.object({ customer: z.string(), method: z.literal('echeck') })
export const setupConfirmation = z.object({ token: idString, mandate, return_url: z.optional(z.string()) })

/** Setup: the process that stores a bank account for a customer. */
interface SetupRow {
  id: string
  account: string
  customer: string
  status: 'requires_confirmation' | 'succeeded' | 'failed'
  error: { code: string; message: string } | null
  payment_method: string | null
}

const setupView = async (client: Pick<Database, 'query'>, setup: SetupRow) => ({
  id: setup.id,
  customer: setup.customer,
  method: 'echeck',
  status: setup.status,
  error: setup.error,
  next_action: null,
  payment_method: await findStoredMethod(client, setup.payment_method),
})

export async function createSetup(
  { clock }: BankfileDeps,
  client: Client,
  account: string,
  { customer }: z.output<typeof newSetup>,
) {
  const { rows } = await client.query<SetupRow>(
    `INSERT INTO setup (id, account, customer, status, created_at)
     SELECT $1, account, id, 'requires_confirmation', $4 FROM customer WHERE id = $3 AND account = $2 RETURNING *`,
    [newId('seti'), account, customer, clock.now()],
  )
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such customer.')
  return setupView(client, rows[0])
}

export async function getSetup({ database }: BankfileDeps, account: string, id: string) {
  const { rows } = await database.query<SetupRow>('SELECT * FROM setup WHERE id = $1 AND account = $2', [id, account])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such setup.')
  return setupView(database, rows[0])
}

/**
 * Saves the bank account behind a token, with its mandate. If the company uses prenotes, queues one to test the
 * account.
 */
export async function confirmSetup(
  { clock }: BankfileDeps,
  client: Client,
  account: string,
  id: string,
  request: z.output<typeof setupConfirmation>,
) {
  const { rows } = await client.query<SetupRow>('SELECT * FROM setup WHERE id = $1 AND account = $2 FOR UPDATE', [
    id,
    account,
  ])
  const [setup] = rows
  if (!setup) throw new Refused(404, 'not_found', 'There is no such setup.')
  if (setup.status !== 'requires_confirmation') return setupView(client, setup)
  const originator = await originatorOf(client, account)
  const detail = await useToken(client, clock, setup, request.token)
  if (detail === null)
    return setupView(
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
  return setupView(client, await end(client, id, 'succeeded', method, null))
}

async function end(client: Client, id: string, status: string, method: string | null, error: SetupRow['error']) {
  const { rows } = await client.query<SetupRow>(
    'UPDATE setup SET status = $2, payment_method = $3, error = $4 WHERE id = $1 RETURNING *',
    [id, status, method, error && JSON.stringify(error)],
  )
  return rows[0] as SetupRow
}
