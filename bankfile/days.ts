import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { lockMovements } from '../provider-kit/movements.ts'
import type { Originator } from './accounts.ts'
import { addDays, isBankingDay, localTime } from './banking-days.ts'
import { cutFile } from './cut.ts'
import type { BankfileDeps } from './deps.ts'
import { lockIntent, stepIntent } from './intent-steps.ts'

/**
 * Closes the banking days of each company. After a day's cutoff, settles debits past their return period, pays out
 * settled money and creates the day's file. Each company's day is closed once, in one transaction, even if a process
 * crashes or several processes run.
 */
export function openDays(deps: BankfileDeps) {
  const { database, clock } = deps

  /** Closes all days that are past their cutoff, oldest first. */
  async function advance(): Promise<void> {
    const { rows } = await database.query<Originator>('SELECT * FROM account WHERE company_id IS NOT NULL ORDER BY id')
    for (const originator of rows) {
      const through = lastDayOf(originator)
      if (originator.cut_through < through) await closeAll(originator.id, through)
    }
  }

  /**
   * Closes the days of one company. An error does not delay other companies, and the next run tries the failed day
   * again.
   */
  async function closeAll(id: string, through: string): Promise<void> {
    try {
      while (await closeNext(id, through));
    } catch (error) {
      process.stderr.write(`bank-file provider: the day of ${id} could not be closed: ${(error as Error).message}\n`)
    }
  }

  /** Returns the last day that is past its cutoff. */
  function lastDayOf(originator: Originator): string {
    const { day, time } = localTime(clock.now(), originator.time_zone)
    return time >= originator.cutoff ? day : addDays(day, -1)
  }

  /** Closes a company's next day, if that day is not after `through`. Returns true if more days may follow. */
  const closeNext = (id: string, through: string): Promise<boolean> =>
    database.transact(async (client) => {
      // Closing a day also locks the company. Movements are serialized first, to prevent deadlocks.
      await lockMovements(client)
      const { rows } = await client.query<Originator>('SELECT * FROM account WHERE id = $1 FOR NO KEY UPDATE', [id])
      const [originator] = rows
      if (!originator || originator.cut_through >= through) return false
      const day = await nextBusyDay(client, originator, through)
      if (isBankingDay(day)) {
        await settleDue(client, originator, day)
        await payOut(client, originator, day)
        await cutFile(deps, client, originator, day)
      }
      await client.query('UPDATE account SET cut_through = $2 WHERE id = $1', [id, day])
      return day < through
    })

  /** Returns the next day to close. If the company has no open entries and no unpaid movements, skips to `through`. */
  async function nextBusyDay(client: Client, originator: Originator, through: string): Promise<string> {
    const { rows } = await client.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT FROM entry WHERE account = $1 AND status IN ('waiting', 'in_file'))
         OR EXISTS (SELECT FROM movement WHERE account = $1 AND payout IS NULL) AS busy`,
      [originator.id],
    )
    return rows[0]?.busy ? addDays(originator.cut_through, 1) : through
  }

  /** Settles the debits that the bank did not return in time. They are now final. */
  async function settleDue(client: Client, originator: Originator, day: string): Promise<void> {
    const { rows } = await client.query<{ id: number; kind: string; intent: string }>(
      `SELECT id, kind, intent FROM entry WHERE account = $1 AND status = 'in_file' AND settles_on <= $2 ORDER BY id FOR UPDATE`,
      [originator.id, day],
    )
    for (const { kind, intent } of rows)
      if (kind === 'debit') await stepIntent(deps, client, await lockIntent(client, intent, originator.id), 'succeeded')
    await client.query(`UPDATE entry SET status = 'settled' WHERE id = ANY ($1)`, [rows.map(({ id }) => id)])
  }

  /** Pays the settled amounts to the company's account, less returns and refunds. */
  async function payOut(client: Client, originator: Originator, day: string): Promise<void> {
    const { rows } = await client.query<{ cents: number; lines: number }>(
      'SELECT coalesce(sum(amount_cents), 0)::bigint AS cents, count(*)::int AS lines FROM movement WHERE account = $1 AND payout IS NULL',
      [originator.id],
    )
    const { cents = 0, lines = 0 } = rows[0] ?? {}
    if (lines === 0) return
    const id = newId('po')
    await client.query(
      `INSERT INTO payout (id, account, amount_cents, lines, trace, arrives_on, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, originator.id, cents, lines, `${originator.company_id}-${day}`, day, clock.now()],
    )
    await client.query('UPDATE movement SET payout = $1 WHERE account = $2 AND payout IS NULL', [id, originator.id])
  }

  return { advance }
}
