import type { Clock } from './clock.ts'
import type { Client, Database } from './database.ts'
import { pageOf, findCursorSeq } from './pages.ts'
import { newId } from './ids.ts'

export type MovementType =
  | 'capture'
  | 'void'
  | 'refund'
  | 'refund_failed'
  | 'return'
  | 'dispute'
  | 'dispute_won'
  | 'dispute_lost'

export interface Movement {
  account: string
  type: MovementType
  intent: string
  object: 'intent' | 'refund' | 'dispute'
  object_id: string
  /** Amount in cents. Negative if money leaves the account. */
  amount_cents: number
  /** Fee of the provider. In cents. */
  fee_cents: number
}

export const NO_MOVEMENT = 'There is no such balance transaction.'

/** Locks the movements for a writer or a payout, until the transaction ends. */
export const lockMovements = (client: Client) =>
  client.query(`SELECT pg_advisory_xact_lock(hashtext(current_schema || '.movement'))`)

/** Creates the provider's record of the money movements of all accounts, in commit order. */
export function openMovements(database: Database, clock: Clock) {
  /**
   * Writes a movement in the transaction that caused it. Writers lock the movements until they commit. So a new
   * movement never appears before a movement that a reader has already seen.
   */
  async function note(client: Client, { account, type, intent, object, object_id, amount_cents, fee_cents }: Movement) {
    await lockMovements(client)
    await client.query(
      `INSERT INTO movement (id, account, type, intent, object, object_id, amount_cents, fee_cents, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [newId('txn'), account, type, intent, object, object_id, amount_cents, fee_cents, clock.now()],
    )
  }

  /** Returns the page of movements after the movement with this id, oldest first. */
  async function list(after: string | undefined, limit: number) {
    const seq = await findCursorSeq(database, 'movement', after, NO_MOVEMENT)
    const { rows } = await database.query(
      `SELECT m.id, m.account, m.type, m.intent, m.object, m.object_id, m.amount_cents, m.created_at, i.metadata
       FROM movement m JOIN intent i ON i.id = m.intent WHERE m.seq > $1 ORDER BY m.seq LIMIT $2`,
      [seq, limit + 1],
    )
    return pageOf(rows, limit)
  }

  /** Returns the balance of an account, for comparison with a ledger. */
  async function balance(account: string) {
    const { rows } = await database.query<Record<string, number>>(
      `SELECT coalesce(sum(amount_cents) FILTER (WHERE type = 'capture'), 0)::bigint AS captured_cents,
        coalesce(-sum(amount_cents) FILTER (WHERE type LIKE 'refund%'), 0)::bigint AS refunded_cents,
        coalesce(-sum(amount_cents) FILTER (WHERE type = 'return'), 0)::bigint AS returned_cents,
        coalesce(-sum(amount_cents) FILTER (WHERE type = 'void'), 0)::bigint AS voided_cents,
        coalesce(-sum(amount_cents) FILTER (WHERE type LIKE 'dispute%'), 0)::bigint AS disputed_cents,
        coalesce(sum(amount_cents), 0)::bigint AS balance_cents FROM movement WHERE account = $1`,
      [account],
    )
    return { account, ...rows[0] }
  }

  return { note, list, balance }
}
export type Movements = ReturnType<typeof openMovements>
