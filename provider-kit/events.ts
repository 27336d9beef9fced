import type { Clock } from './clock.ts'
import type { Client, Database } from './database.ts'
import { newId } from './ids.ts'
import { type EventRow, type Webhook, SEND_TIMEOUT_MS, sendEvent } from './send-event.ts'

/**
 * Simulated faults in event delivery, like those of real providers. The seed makes the faults of a test run repeatable.
 */
export interface DeliveryFaults {
  duplicate: number
  reorder: number
  drop: number
  delayMs: number
  seed: number
}
export const clean: DeliveryFaults = { duplicate: 0, reorder: 0, drop: 0, delayMs: 0, seed: 1 }

const MAX_WAIT_MS = 5 * 60_000
const MAX_ATTEMPTS = 20

function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Creates the event queue. `emit` stores an event in the same transaction as its change. `deliver` delivers each event
 * at least once.
 */
export function openEvents(database: Database, clock: Clock, settings: Webhook) {
  let mischief = clean
  let chance = random(clean.seed)

  async function emit(
    client: Client,
    account: string,
    type: string,
    data: { object: 'intent' | 'refund' | 'dispute' | 'account'; object_id: string; intent: string },
  ) {
    const id = newId('evt')
    await client.query('INSERT INTO event (id, account, type, data, created_at) VALUES ($1, $2, $3, $4, $5)', [
      id,
      account,
      type,
      JSON.stringify(data),
      clock.now(),
    ])
    if (chance() < mischief.drop) return
    const copies = chance() < mischief.duplicate ? 2 : 1
    for (let copy = 0; copy < copies; copy++) {
      const late = mischief.delayMs + (chance() < mischief.reorder ? Math.round(chance() * 3000) : 0)
      await client.query(`INSERT INTO delivery (event_id, due_at) VALUES ($1, now() + $2 * interval '1 millisecond')`, [
        id,
        late,
      ])
    }
  }

  /**
   * Delivers due events in order. `everything` includes events scheduled for later. Postpones each event before sending
   * it, so that parallel runs do not send it twice. If a run crashes, a later run sends the event.
   */
  async function deliver(everything = false): Promise<number> {
    const { rows } = await database.query<EventRow & { delivery: number; wait: number }>(
      `WITH due AS (
         SELECT d.id, d.due_at FROM delivery d
         WHERE d.delivered_at IS NULL AND d.attempts < $1 AND ($2 OR d.due_at <= now())
         ORDER BY d.due_at, d.id LIMIT 100 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE delivery d SET attempts = d.attempts + 1, due_at = now() + $3 * interval '1 millisecond'
         FROM due WHERE d.id = due.id RETURNING d.id, d.event_id, d.attempts, due.due_at
       )
       SELECT t.id AS delivery, least($4, 1000 * 2 ^ (t.attempts - 1)) AS wait, e.*
       FROM taken t JOIN event e ON e.id = t.event_id ORDER BY t.due_at, e.seq`,
      [MAX_ATTEMPTS, everything, SEND_TIMEOUT_MS + 1000, MAX_WAIT_MS],
    )
    for (const row of rows)
      await database.query(
        `UPDATE delivery SET delivered_at = CASE WHEN $2 THEN now() END, due_at = now() + $3 * interval '1 millisecond' WHERE id = $1`,
        [row.delivery, await sendEvent(row, clock.now(), settings), row.wait],
      )
    return rows.length
  }

  return {
    emit,
    deliver,
    misbehave(how: DeliveryFaults) {
      mischief = how
      chance = random(how.seed)
    },
  }
}
export type Events = ReturnType<typeof openEvents>
