import { createHash } from 'node:crypto'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import type { Events } from '../provider-kit/events.ts'
import { newId } from '../provider-kit/ids.ts'
import { lockMovements, type Movements } from '../provider-kit/movements.ts'
import { Refused } from '../provider-kit/refused.ts'
import { bankingDaysBetween, localTime } from './banking-days.ts'
import { correct } from './correct.ts'
import type { EntryRow } from './entries.ts'
import { bankError, type Intents } from './intents.ts'
import { type Item, itemsOf } from './items.ts'
import { readNachaFile } from './nacha/read-file.ts'
import { isAboutReturn, returnCodes } from './nacha/return-codes.ts'
import type { Seal } from './seal.ts'

const DAY_MS = 86_400_000
/** Calendar days in which a bank may return an unauthorized debit. */
const LATE_DAYS = 60
const TWO_BANKING_DAYS = 2

/** Reason that an item of a bank's file awaits staff. */
export type ExceptionReason = 'unknown' | 'twice' | 'amount' | 'untimely' | 'between-banks' | 'change' | 'staff'

interface EntryWithZone extends EntryRow {
  time_zone: string
}

/** Reads the files that banks send, with returns and corrections. */
export function openReturns(
  database: Database,
  {
    clock,
    seal,
    events,
    movements,
    intents,
  }: { clock: Clock; seal: Seal; events: Events; movements: Movements; intents: Intents },
) {
  /**
   * Reads a bank's file. It is accepted completely or refused with reasons. A repeated file gets the first answer and
   * changes no data. All changes are one transaction.
   */
  async function take(name: string, content: string) {
    const sha256 = createHash('sha256').update(content, 'latin1').digest('hex')
    const { file, problems } = readNachaFile(content, { trailingBlanks: 'any', filler: 'optional', rules: 'bank' })
    if (!file) throw new Refused(422, 'file_refused', problems.map(({ message }) => message).join('\n'))
    return database.transact(async (client) => {
      await lockMovements(client)
      const id = newId('recv')
      const { rowCount } = await client.query(
        `INSERT INTO received_file (id, name, sha256, content_sealed, returns, changes, exceptions, received_at)
         VALUES ($1, $2, $3, $4, 0, 0, 0, $5) ON CONFLICT (sha256) DO NOTHING`,
        [id, name.slice(0, 200), sha256, seal.close(content), clock.now()],
      )
      if (rowCount === 0) return show(client, sha256, true)
      const counts = { returns: 0, changes: 0, exceptions: 0 }
      for (const item of itemsOf(file)) counts[await takeItem(client, id, item)]++
      await client.query('UPDATE received_file SET returns = $2, changes = $3, exceptions = $4 WHERE id = $1', [
        id,
        ...Object.values(counts),
      ])
      return show(client, sha256, false)
    })
  }

  async function show(client: Client, sha256: string, again: boolean) {
    const { rows } = await client.query<Record<string, unknown>>(
      'SELECT id, name, returns, changes, exceptions, received_at FROM received_file WHERE sha256 = $1',
      [sha256],
    )
    return { ...rows[0], again }
  }

  async function takeItem(client: Client, file: string, item: Item): Promise<'returns' | 'changes' | 'exceptions'> {
    const entry = await findEntry(client, item)
    const storeException = async (reason: ExceptionReason, message: string) => {
      await client.query(
        `INSERT INTO exception (id, received_file, account, line, reason, code, trace, amount_cents, message, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          ...[newId('exc'), file, entry?.account ?? null, item.line, reason, item.code, item.originalTrace],
          ...[item.amountCents, message, clock.now()],
        ],
      )
      return 'exceptions' as const
    }
    if (isAboutReturn(item.code))
      return storeException('between-banks', 'The banks disagree about a return. Ask the bank which one stands.')
    if (!entry) return storeException('unknown', `No entry of ours has the trace number ${item.originalTrace}.`)
    if (item.kind === 'change') {
      const applied = await correct(client, { clock, seal }, file, entry, item)
      return applied
        ? 'changes'
        : storeException('change', 'What is corrected is not of the account: somebody has to change it by hand.')
    }
    if (item.amountCents !== entry.amount_cents)
      return storeException(
        'amount',
        `The entry was of ${entry.amount_cents} cents, and ${item.amountCents} came back.`,
      )
    if (entry.status === 'returned') return storeException('twice', 'This entry came back before.')
    await sendBack(client, entry, item.code)
    if (isLate(entry, item.code))
      await storeException('untimely', 'It came back later than the rules allow. The bank may refuse it.')
    if (returnCodes[item.code]?.action === 'staff')
      await storeException('staff', `${returnCodes[item.code]?.title}: a person has to look.`)
    return 'returns'
  }

  /** Trace numbers restart after ten million, so the newest entry is the right one. */
  async function findEntry(client: Client, { originalTrace }: Item): Promise<EntryWithZone | undefined> {
    const { rows } = await client.query<EntryWithZone>(
      `SELECT e.*, a.time_zone FROM entry e JOIN account a ON a.id = e.account
       WHERE e.trace = $1 ORDER BY e.id DESC LIMIT 1 FOR UPDATE OF e`,
      [originalTrace],
    )
    return rows[0]
  }

  async function sendBack(client: Client, entry: EntryWithZone, code: string): Promise<void> {
    await client.query(`UPDATE entry SET status = 'returned', return_code = $2, returned_at = $3 WHERE id = $1`, [
      ...[entry.id, code, clock.now()],
    ])
    if (entry.kind === 'debit' && entry.intent) {
      const row = await intents.lock(client, entry.intent, entry.account)
      const to = row.status === 'succeeded' ? 'returned' : 'failed'
      await intents.step(client, row, to, { error: bankError(code), return_code: code })
    }
    if (entry.kind === 'refund') await refundCameBack(client, entry)
    if (entry.stored_method) await stop(client, entry.stored_method, entry.account, code)
  }

  /** Reverses a refund that the receiver's bank did not accept. The money belongs to the company again. */
  async function refundCameBack(
    client: Client,
    { refund, intent, account, amount_cents }: EntryWithZone,
  ): Promise<void> {
    if (refund === null || intent === null) return
    await client.query(`UPDATE refund SET status = 'failed' WHERE id = $1`, [refund])
    await client.query('UPDATE intent SET refunded_cents = refunded_cents - $2 WHERE id = $1', [intent, amount_cents])
    const about = { object: 'refund', object_id: refund, intent } as const
    await movements.note(client, { ...about, account, type: 'refund_failed', amount_cents, fee_cents: 0 })
    await events.emit(client, account, 'refund.failed', about)
  }

  /**
   * Blocks an account from debits after a return. Returns for insufficient funds or for our own errors do not block it.
   */
  async function stop(client: Client, method: string, account: string, code: string): Promise<void> {
    const action = returnCodes[code]?.action
    if (action === undefined || action === 'present-again' || action === 'staff') return
    await client.query(
      `UPDATE stored_method SET blocked_by = coalesce(blocked_by, $2),
         mandate_ended_at = CASE WHEN $3 THEN coalesce(mandate_ended_at, $4) ELSE mandate_ended_at END WHERE id = $1`,
      [method, code, action === 'revoke', clock.now()],
    )
    // Locks intents before entries, in the same order as a cancellation.
    const { rows: waiting } = await client.query<{ id: string }>(
      `SELECT i.id FROM intent i JOIN entry e ON e.intent = i.id
       WHERE e.stored_method = $1 AND e.kind = 'debit' AND e.status = 'waiting' ORDER BY i.id FOR UPDATE OF i`,
      [method],
    )
    const { rows } = await client.query<{ intent: string }>(
      `UPDATE entry SET status = 'canceled' WHERE intent = ANY ($1) AND kind = 'debit' AND status = 'waiting' RETURNING intent`,
      [waiting.map(({ id }) => id)],
    )
    for (const { intent } of rows)
      await intents.step(client, await intents.lock(client, intent, account), 'failed', {
        error: bankError(code),
        return_code: code,
      })
  }

  /** Allows some days beyond the rules, because a file may still be in transfer. */
  function isLate({ effective_on: on, time_zone: zone }: EntryWithZone, code: string): boolean {
    const today = localTime(clock.now(), zone).day
    if (on === null) return false
    return returnCodes[code]?.within === '60 days'
      ? (Date.parse(today) - Date.parse(on)) / DAY_MS > LATE_DAYS + 2
      : bankingDaysBetween(on, today) > TWO_BANKING_DAYS + 1
  }

  return { take }
}
export type Returns = ReturnType<typeof openReturns>
