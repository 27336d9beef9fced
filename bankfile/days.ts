import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { lockMovements } from '../provider-kit/movements.ts'
import type { Originator } from './accounts.ts'
import { addDays, isBankingDay, localTime } from './banking-days.ts'
import type { Cutter } from './cut.ts'
import type { Intents } from './intents.ts'

/**
 * The banking days of each town. When a day's cutoff passes, what the bank has kept long enough is settled, what was settled
 * is paid out, and the day's file is cut; each day of a town once, in one transaction, whatever dies and however many run.
 */
export function openDays(database: Database, clock: Clock, intents: Intents, cutter: Cutter) {
  /** Goes through the days that are over by the clock, oldest first. */
  async function advance(): Promise<void> {
    const { rows } = await database.query<Originator>('SELECT * FROM account WHERE company_id IS NOT NULL ORDER BY id')
    for (const town of rows) {
      const through = lastDayOf(town)
      if (town.cut_through < through) await closeAll(town.id, through)
    }
  }

  /** What is against one town's days keeps no other town waiting; they are tried again with the next look. */
  async function closeAll(id: string, through: string): Promise<void> {
    try {
      while (await closeNext(id, through));
    } catch (error) {
      process.stderr.write(`bank-file provider: the day of ${id} could not be closed: ${(error as Error).message}\n`)
    }
  }

  /** The day whose cutoff passed last. */
  function lastDayOf(town: Originator): string {
    const { day, time } = localTime(clock.now(), town.time_zone)
    return time >= town.cutoff ? day : addDays(day, -1)
  }

  /** Closes the next day of a town up to `through`. Answers whether there may be more. */
  const closeNext = (id: string, through: string): Promise<boolean> =>
    database.transact(async (client) => {
      // Whoever moves money takes turns, so that nobody waits in a ring; who closes a day holds the town besides.
      await lockMovements(client)
      const { rows } = await client.query<Originator>('SELECT * FROM account WHERE id = $1 FOR NO KEY UPDATE', [id])
      const [town] = rows
      if (!town || town.cut_through >= through) return false
      const day = await nextBusyDay(client, town, through)
      if (isBankingDay(day)) {
        await settle(client, town, day)
        await payOut(client, town, day)
        await cutter.cut(client, town, day)
      }
      await client.query('UPDATE account SET cut_through = $2 WHERE id = $1', [id, day])
      return day < through
    })

  /** Days on which nothing can happen are passed over at once. */
  async function nextBusyDay(client: Client, town: Originator, through: string): Promise<string> {
    const { rows } = await client.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT FROM entry WHERE account = $1 AND status IN ('waiting', 'in_file'))
         OR EXISTS (SELECT FROM movement WHERE account = $1 AND payout IS NULL) AS busy`,
      [town.id],
    )
    return rows[0]?.busy ? addDays(town.cut_through, 1) : through
  }

  /** What the bank did not send back until now is final. */
  async function settle(client: Client, town: Originator, day: string): Promise<void> {
    const { rows } = await client.query<{ id: number; kind: string; intent: string }>(
      `SELECT id, kind, intent FROM entry WHERE account = $1 AND status = 'in_file' AND settles_on <= $2 ORDER BY id FOR UPDATE`,
      [town.id, day],
    )
    for (const { kind, intent } of rows)
      if (kind === 'debit') await intents.step(client, await intents.lock(client, intent, town.id), 'succeeded')
    await client.query(`UPDATE entry SET status = 'settled' WHERE id = ANY ($1)`, [rows.map(({ id }) => id)])
  }

  /** What was settled reaches the town's account, less what came back and was given back. */
  async function payOut(client: Client, town: Originator, day: string): Promise<void> {
    const { rows } = await client.query<{ cents: number; lines: number }>(
      'SELECT coalesce(sum(amount_cents), 0)::bigint AS cents, count(*)::int AS lines FROM movement WHERE account = $1 AND payout IS NULL',
      [town.id],
    )
    const { cents = 0, lines = 0 } = rows[0] ?? {}
    if (lines === 0) return
    const id = newId('po')
    await client.query(
      `INSERT INTO payout (id, account, amount_cents, lines, trace, arrives_on, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, town.id, cents, lines, `${town.company_id}-${day}`, day, clock.now()],
    )
    await client.query('UPDATE movement SET payout = $1 WHERE account = $2 AND payout IS NULL', [id, town.id])
  }

  return { advance }
}
