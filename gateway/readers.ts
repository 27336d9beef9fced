import * as z from 'zod/mini'
import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import { lockIntent, stepIntent } from './intent-steps.ts'
import { cancelIntent, intentView } from './intents.ts'

/** Card reader at a counter, with the charge on its display. */
interface Reader {
  id: string
  account: string
  label: string
  intent: string | null
}

export const newReader = z.object({
  registration_code: z.string().check(z.maxLength(100)),
  label: z.string().check(z.minLength(1), z.maxLength(60)),
})

const readerView = ({ publicOrigin }: GatewayDeps, { id, label }: Reader) => ({
  id,
  label,
  test_url: `${publicOrigin()}/terminal/${id}`,
})

/**
 * Locks a reader until the transaction ends. If `account` is null, finds readers of all accounts.
 * @throws Refused if the reader does not exist
 */
export async function lockReader(client: Client, id: string, account: string | null): Promise<Reader> {
  const { rows } = await client.query<Reader>(
    'SELECT * FROM reader WHERE id = $1 AND ($2::text IS NULL OR account = $2) FOR UPDATE',
    [id, account],
  )
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such reader.')
  return rows[0]
}

/** Returns the amount in cents of the charge that a reader waits for. Null if the reader waits for no charge. */
export async function amountDueAt(client: Client, { intent }: Reader): Promise<number | null> {
  if (!intent) return null
  const row = await lockIntent(client, intent, null)
  return row.status === 'requires_action' ? row.amount_cents : null
}

/** Pairs a reader by the code on its display. If the code is already paired, only renames the reader. */
export async function pairReader(
  deps: GatewayDeps,
  client: Client,
  account: string,
  { registration_code: code, label }: z.output<typeof newReader>,
) {
  if (!/^simulated-[a-z0-9]{3,20}$/.test(code))
    throw new Refused(400, 'wrong_code', 'TEST: the code of a reader of the sandbox begins with “simulated-”.')
  const { rows } = await client.query<Reader>(
    `INSERT INTO reader (id, account, label, code, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account, code) DO UPDATE SET label = excluded.label RETURNING *`,
    [newId('tmr'), account, label, code, deps.clock.now()],
  )
  return readerView(deps, rows[0] as Reader)
}

export async function listReaders(deps: GatewayDeps, account: string) {
  const { rows } = await deps.database.query<Reader>(
    'SELECT * FROM reader WHERE account = $1 ORDER BY created_at, id',
    [account],
  )
  return { data: rows.map((reader) => readerView(deps, reader)) }
}

/** Removes a reader. A reader that waits for a card cannot be removed. */
export async function removeReader(deps: GatewayDeps, client: Client, account: string, id: string) {
  const reader = await lockReader(client, id, account)
  if (await amountDueAt(client, reader))
    throw new Refused(400, 'reader_busy', 'This reader waits for the card of a payment.')
  await client.query('DELETE FROM reader WHERE id = $1', [id])
  return readerView(deps, reader)
}

/**
 * Assigns a charge to a reader, which then waits for a card. Refuses a reader that is busy with another charge. If the
 * reader already has this charge, returns the intent unchanged.
 */
export async function presentIntent(deps: GatewayDeps, client: Client, account: string, id: string, intent: string) {
  const reader = await lockReader(client, id, account)
  if (reader.intent !== intent && (await amountDueAt(client, reader)))
    throw new Refused(400, 'reader_busy', 'This reader waits for the card of another payment.')
  await client.query('UPDATE reader SET intent = $2 WHERE id = $1', [id, intent])
  const row = await lockIntent(client, intent, account)
  if (row.status === 'canceled') throw new Refused(400, 'wrong_state', 'This intent was cancelled.')
  if (row.status !== 'requires_confirmation') return intentView(deps, row)
  return intentView(deps, await stepIntent(deps, client, row, 'requires_action', { reader: id }))
}

/** Clears a reader's display. Cancels the displayed charge if the reader still waits for a card. */
export async function clearReader(deps: GatewayDeps, client: Client, account: string, id: string) {
  const reader = await lockReader(client, id, account)
  if (reader.intent && (await amountDueAt(client, reader))) await cancelIntent(deps, client, account, reader.intent)
  await client.query('UPDATE reader SET intent = NULL WHERE id = $1', [id])
  return readerView(deps, reader)
}
