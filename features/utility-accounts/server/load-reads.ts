import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, toIso } from '../../../shared/dates.ts'
import type { InvalidRow } from './import-file.ts'
import { accountIdsOf, UPDATE_DAYS, planByIndexes } from './load-bills.ts'
import type { MeterRead } from './read-layout.ts'

/** Counts of loaded readings. */
export type LoadedReadings = Record<'readsCreated' | 'readsCorrected' | 'readsUnchanged', number>

/**
 * Loads a company's meter readings in the caller's transaction. Unlike a bill, a changed reading replaces the existing
 * one for the same meter and day.
 */
export async function loadReads(tx: Tx, company: CompanyId, reads: readonly MeterRead[], now: Date) {
  await planByIndexes(tx)
  const today = toIso(now)
  const { once, invalidRows, copies } = dropRepeats(reads.filter(({ read_date }) => read_date <= today))
  for (const { line, read_date } of reads)
    if (read_date > today) invalidRows.push({ line, reason: `read_date ${read_date} is in the future.` })
  const ids = await accountIdsOf(tx, company, once)
  const matched = once.filter(({ account_number }) => ids.has(account_number))
  for (const { line, account_number } of once)
    if (!ids.has(account_number))
      invalidRows.push({ line, reason: `No account has the number ${account_number}. Import its bills first.` })
  const idOf = ({ account_number }: MeterRead) => ids.get(account_number)
  const changed = matched.length === 0 ? [] : await write(tx, company, matched, idOf, now)
  await recordUpdates(tx, company, changed, now)
  const readsCreated = changed.filter(({ created }) => created).length
  return {
    readsCreated,
    readsCorrected: changed.length - readsCreated,
    readsUnchanged: copies + matched.length - changed.length,
    invalidRows: invalidRows.toSorted((a, b) => a.line - b.line),
  }
}

/**
 * Handles repeated readings of the same meter and day. Ignores an identical line, and reports a different line as
 * invalid.
 */
function dropRepeats(reads: readonly MeterRead[]) {
  const first = new Map<string, MeterRead>()
  const invalidRows: InvalidRow[] = []
  let copies = 0
  for (const read of reads) {
    const { account_number, meter_number, read_date, line } = read
    const key = `${account_number} ${meter_number} ${read_date}`
    const before = first.get(key)
    if (!before) first.set(key, read)
    else if (JSON.stringify({ ...read, line: 0 }) === JSON.stringify({ ...before, line: 0 })) copies += 1
    else
      invalidRows.push({
        line,
        reason: `Line ${before.line} already has a different reading of meter ${meter_number} on ${read_date}.`,
      })
  }
  return { once: [...first.values()], invalidRows, copies }
}

interface ChangedReading {
  account_id: number
  read_date: string
  created: boolean
}

/** Writes the readings. Returns those that are new or changed. */
async function write(
  tx: Tx,
  company: CompanyId,
  reads: readonly MeterRead[],
  idOf: (read: MeterRead) => number | undefined,
  now: Date,
): Promise<ChangedReading[]> {
  const column = <K extends keyof MeterRead>(name: K) => reads.map((read) => read[name])
  const { rows } = await sql<ChangedReading>`
    INSERT INTO meter_reading AS r (company_id, imported_at, account_id, meter_number, read_date, service, unit, reading, used, days, kind)
    SELECT ${company}::int, ${now}::timestamptz, x.*
    FROM unnest(${reads.map(idOf)}::bigint[], ${column('meter_number')}::text[], ${column('read_date')}::date[],
      ${column('service')}::text[], ${column('unit')}::text[], ${column('reading')}::float8[], ${column('used')}::float8[],
      ${column('days')}::int[], ${column('kind')}::text[]) AS x
    ON CONFLICT (company_id, account_id, meter_number, read_date) DO UPDATE SET imported_at = excluded.imported_at,
      service = excluded.service, unit = excluded.unit, reading = excluded.reading, used = excluded.used,
      days = excluded.days, kind = excluded.kind
    WHERE (r.service, r.unit, r.reading, r.used, r.days, r.kind)
      IS DISTINCT FROM (excluded.service, excluded.unit, excluded.reading, excluded.used, excluded.days, excluded.kind)
    RETURNING r.account_id, r.read_date, r.xmax = 0 AS created`.execute(tx)
  return rows
}

/** Queues new readings of accounts with a usage alert for the job that notifies people. */
async function recordUpdates(tx: Tx, company: CompanyId, changed: readonly ChangedReading[], now: Date): Promise<void> {
  const since = addDays(toIso(now), -UPDATE_DAYS)
  const fresh = changed.filter(({ read_date }) => read_date >= since)
  if (fresh.length === 0) return
  await sql`
    INSERT INTO utility_update (company_id, account_id, read_date)
    SELECT DISTINCT ${company}::int, x.id, x.day
    FROM unnest(${fresh.map(({ account_id }) => account_id)}::bigint[], ${fresh.map(({ read_date }) => read_date)}::date[]) AS x(id, day)
    WHERE EXISTS (SELECT FROM linked_account l WHERE l.company_id = ${company} AND l.account_id = x.id
      AND (l.usage_limit IS NOT NULL OR l.away_from IS NOT NULL))`.execute(tx)
}
