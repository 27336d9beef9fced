import type { Database } from './database.ts'
import { NO_MOVEMENT } from './movements.ts'
import { pageOf, findCursorSeq } from './pages.ts'

/** Reads payouts and the movements in each payout. `advance` creates the due payouts. */
export function payoutPages(database: Database, advance: () => Promise<unknown>) {
  /** Returns the page of payouts after the payout with this id, for all accounts, oldest first. */
  async function list(after: string | undefined, limit: number) {
    await advance()
    const seq = await findCursorSeq(database, 'payout', after, 'There is no such payout.')
    const { rows } = await database.query(
      `SELECT id, account, amount_cents, fee_cents, lines, trace, arrives_on::text, created_at FROM payout WHERE seq > $1 ORDER BY seq LIMIT $2`,
      [seq, limit + 1],
    )
    return pageOf(rows, limit)
  }

  /** Lists the movements of a payout. */
  async function linesOf(account: string, id: string, after: string | undefined, limit: number) {
    const seq = await findCursorSeq(database, 'movement', after, NO_MOVEMENT)
    const { rows } = await database.query(
      `SELECT id, type, intent, object, object_id, amount_cents, fee_cents, created_at FROM movement
       WHERE payout = $1 AND account = $2 AND seq > $3 ORDER BY seq LIMIT $4`,
      [id, account, seq, limit + 1],
    )
    return pageOf(rows, limit)
  }

  return { list, linesOf }
}
