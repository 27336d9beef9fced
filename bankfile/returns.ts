import { createHash } from 'node:crypto'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { lockMovements } from '../provider-kit/movements.ts'
import { Refused } from '../provider-kit/refused.ts'
import { bankingDaysBetween, localTime } from './banking-days.ts'
import { correct } from './correct.ts'
import type { BankfileDeps } from './deps.ts'
import type { EntryRow } from './entries.ts'
import { bankError, lockIntent, stepIntent } from './intent-steps.ts'
import { type Item, itemsOf } from './items.ts'
import { readNachaFile } from './nacha/read-file.ts'
import { isAboutReturn, returnCodes } from './nacha/return-codes.ts'
import { reverseRefund } from './refunds.ts'
import { blockStoredMethod } from './stored-methods.ts'

const DAY_MS = 86_400_000
/** Calendar days in which a bank may return an unauthorized debit. */
const LATE_DAYS = 60
const TWO_BANKING_DAYS = 2

/** Reason that an item of a bank's file awaits staff. */
export type ExceptionReason = 'unknown' | 'twice' | 'amount' | 'untimely' | 'between-banks' | 'change' | 'staff'

interface EntryWithZone extends EntryRow {
  time_zone: string
}

/**
 * Reads a bank's file, and accepts or refuses it as a whole. If the bank sends a file twice, returns the first response
 * and changes no data. All changes are in one transaction.
 */
export async function takeReturns(deps: BankfileDeps, name: string, content: string) {
  const sha256 = createHash('sha256').update(content, 'latin1').digest('hex')
  const { file, problems } = readNachaFile(content, { trailingBlanks: 'any', filler: 'optional', rules: 'bank' })
  if (!file) throw new Refused(422, 'file_refused', problems.map(({ message }) => message).join('\n'))
  return deps.database.transact(async (client) => {
    await lockMovements(client)
    const id = newId('recv')
    const { rowCount } = await client.query(
      `INSERT INTO received_file (id, name, sha256, content_sealed, returns, changes, exceptions, received_at)
       VALUES ($1, $2, $3, $4, 0, 0, 0, $5) ON CONFLICT (sha256) DO NOTHING`,
      [id, name.slice(0, 200), sha256, deps.seal.close(content), deps.clock.now()],
    )
    if (rowCount === 0) return loadReceivedFile(client, sha256, true)
    const counts = { returns: 0, changes: 0, exceptions: 0 }
    for (const item of itemsOf(file)) counts[await takeItem(deps, client, id, item)]++
    await client.query('UPDATE received_file SET returns = $2, changes = $3, exceptions = $4 WHERE id = $1', [
      id,
      ...Object.values(counts),
    ])
    return loadReceivedFile(client, sha256, false)
  })
}

async function loadReceivedFile(client: Client, sha256: string, again: boolean) {
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT id, name, returns, changes, exceptions, received_at FROM received_file WHERE sha256 = $1',
    [sha256],
  )
  return { ...rows[0], again }
}

/** Applies one item. Returns the name of the counter to increase. */
async function takeItem(
  deps: BankfileDeps,
  client: Client,
  file: string,
  item: Item,
): Promise<'returns' | 'changes' | 'exceptions'> {
  const entry = await findEntry(client, item)
  const except = async (reason: ExceptionReason, message: string) => {
    await storeException(deps, client, { file, item, account: entry?.account ?? null, reason, message })
    return 'exceptions' as const
  }
  if (isAboutReturn(item.code))
    return except('between-banks', 'The banks disagree about a return. Ask the bank which one applies.')
  if (!entry) return except('unknown', `No entry has the trace number ${item.originalTrace}.`)
  if (item.kind === 'change') {
    const applied = await correct(client, deps, file, entry, item)
    return applied
      ? 'changes'
      : except('change', 'The portal cannot apply this correction. Make the correction by hand.')
  }
  if (item.amountCents !== entry.amount_cents)
    return except(
      'amount',
      `The entry amount is ${entry.amount_cents} cents, but the returned amount is ${item.amountCents} cents.`,
    )
  if (entry.status === 'returned') return except('twice', 'This entry was already returned.')
  await returnEntry(deps, client, entry, item.code)
  if (isLate(deps.clock, entry, item.code))
    await except('untimely', 'The return arrived later than the rules allow. The bank may refuse it.')
  if (returnCodes[item.code]?.action === 'staff')
    await except('staff', `${returnCodes[item.code]?.title}. Staff must review this return.`)
  return 'returns'
}

async function storeException(
  { clock }: BankfileDeps,
  client: Client,
  exception: { file: string; item: Item; account: string | null; reason: ExceptionReason; message: string },
): Promise<void> {
  const { file, item, account, reason, message } = exception
  await client.query(
    `INSERT INTO exception (id, received_file, account, line, reason, code, trace, amount_cents, message, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      newId('exc'),
      file,
      account,
      item.line,
      reason,
      item.code,
      item.originalTrace,
      item.amountCents,
      message,
      clock.now(),
    ],
  )
}

/**
 * Finds the newest entry with a trace number. Older entries can have the same number, because trace numbers restart
 * after ten million.
 */
async function findEntry(client: Client, { originalTrace }: Item): Promise<EntryWithZone | undefined> {
  const { rows } = await client.query<EntryWithZone>(
    `SELECT e.*, a.time_zone FROM entry e JOIN account a ON a.id = e.account
     WHERE e.trace = $1 ORDER BY e.id DESC LIMIT 1 FOR UPDATE OF e`,
    [originalTrace],
  )
  return rows[0]
}

/** Marks an entry as returned and updates the intent, the refund and the saved bank account accordingly. */
async function returnEntry(deps: BankfileDeps, client: Client, entry: EntryWithZone, code: string): Promise<void> {
  await client.query(`UPDATE entry SET status = 'returned', return_code = $2, returned_at = $3 WHERE id = $1`, [
    entry.id,
    code,
    deps.clock.now(),
  ])
  if (entry.kind === 'debit' && entry.intent) {
    const row = await lockIntent(client, entry.intent, entry.account)
    const to = row.status === 'succeeded' ? 'returned' : 'failed'
    await stepIntent(deps, client, row, to, { error: bankError(code), return_code: code })
  }
  if (entry.kind === 'refund') await reverseRefund(deps, client, entry)
  if (entry.stored_method)
    await blockStoredMethod(deps, client, { method: entry.stored_method, account: entry.account, code })
}

/**
 * True if a return came too late. Allows one or two days after the deadline in the rules, because a file may still be
 * in transit.
 */
function isLate(clock: Clock, { effective_on: on, time_zone: zone }: EntryWithZone, code: string): boolean {
  const today = localTime(clock.now(), zone).day
  if (on === null) return false
  return returnCodes[code]?.within === '60 days'
    ? (Date.parse(today) - Date.parse(on)) / DAY_MS > LATE_DAYS + 2
    : bankingDaysBetween(on, today) > TWO_BANKING_DAYS + 1
}
