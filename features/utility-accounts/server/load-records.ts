import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, toIso } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { InvalidRow } from './import-file.ts'
import { accountIdsOf, type Change, UPDATE_DAYS, planByIndexes } from './load-bills.ts'
import type { AccountRecord, RecordKind } from './record-layout.ts'

/** Counts of loaded records, and the total of new adjustments. */
export type RecordCounts = Record<
  'adjustmentsCreated' | 'adjustedCents' | 'shutoffsChanged' | 'recordsUnchanged',
  number
>
export type LoadedRecords = RecordCounts & { changes: Change[]; invalidRows: InvalidRow[] }

type Adjustment = Selectable<Schema['utility_adjustment']>
type Shutoff = Pick<
  Selectable<Schema['utility_shutoff']>,
  'account_id' | 'scheduled_on' | 'off_on' | 'restored_on' | 'amount_cents' | 'reason'
>
type RecordStep = Exclude<RecordKind, 'adjustment'>

/** Shutoff steps in order, each with the column for its day. */
const steps = { shutoff_scheduled: 'scheduled_on', shutoff: 'off_on', shutoff_restored: 'restored_on' } as const
const order = Object.keys(steps) as RecordStep[]
const stepOf = (shutoff: Shutoff): number => order.findLastIndex((step) => shutoff[steps[step]] !== null)

/** Loads account records of a company in the caller's transaction. */
export async function loadRecords(
  tx: Tx,
  company: CompanyId,
  records: readonly AccountRecord[],
  now: Date,
): Promise<LoadedRecords> {
  const none = { adjustmentsCreated: 0, adjustedCents: 0, shutoffsChanged: 0, recordsUnchanged: 0 }
  if (records.length === 0) return { ...none, changes: [], invalidRows: [] }
  await planByIndexes(tx)
  const { once, invalidRows, copies } = dropRepeats(records)
  const ids = await accountIdsOf(tx, company, once)
  const matched = once.filter(({ account_number }) => ids.has(account_number))
  for (const { line, account_number } of once)
    if (!ids.has(account_number))
      invalidRows.push({ line, reason: `No account has the number ${account_number}. Import its bills first.` })
  const idOf = ({ account_number }: AccountRecord) => ids.get(account_number) ?? 0
  const adjustments = await loadAdjustments(tx, company, matched, { idOf, now, invalidRows })
  const shutoffs = await loadShutoffs(tx, company, matched, { idOf, now, invalidRows })
  const changes = [...adjustments, ...shutoffs]
  const refused = new Set(invalidRows.map(({ line }) => line))
  return {
    adjustmentsCreated: adjustments.length,
    adjustedCents: adjustments.reduce((sum, { amount_cents }) => sum + (amount_cents ?? 0), 0),
    shutoffsChanged: shutoffs.length,
    recordsUnchanged: copies + matched.filter(({ line }) => !refused.has(line)).length - changes.length,
    changes: changes.map(changeOf).toSorted((a, b) => a.line - b.line),
    invalidRows: invalidRows.toSorted((a, b) => a.line - b.line),
  }
}

const stepNames: Record<RecordStep, string> = {
  shutoff_scheduled: 'Shutoff scheduled for',
  shutoff: 'Shut off on',
  shutoff_restored: 'Restored or cancelled on',
}

const changeOf = (record: AccountRecord): Change => ({
  line: record.line,
  what: record.kind === 'adjustment' ? 'adjustment' : 'shutoff',
  account: record.account_number,
  customer: '',
  bill: record.record_number,
  cents: record.amount_cents,
  before: null,
  reason: record.kind === 'adjustment' ? record.reason : `${stepNames[record.kind]} ${record.date}`,
})

/** Handles repeated record numbers. Ignores an identical line, and reports a different line as invalid. */
function dropRepeats(records: readonly AccountRecord[]) {
  const first = new Map<string, AccountRecord>()
  const invalidRows: InvalidRow[] = []
  let copies = 0
  for (const record of records) {
    const key = `${record.kind} ${record.record_number}`
    const before = first.get(key)
    if (!before) first.set(key, record)
    else if (JSON.stringify({ ...record, line: 0 }) === JSON.stringify({ ...before, line: 0 })) copies += 1
    else
      invalidRows.push({
        line: record.line,
        reason: `Line ${before.line} already has record ${record.record_number} with different data.`,
      })
  }
  return { once: [...first.values()], invalidRows, copies }
}

interface Loading {
  idOf: (record: AccountRecord) => number
  now: Date
  /** List to which the loader adds refused lines. */
  invalidRows: InvalidRow[]
}

const column = <K extends keyof AccountRecord>(records: readonly AccountRecord[], name: K) =>
  records.map((record) => record[name])

/**
 * Loads adjustments. Like a bill, an existing adjustment never changes.
 * @returns the new adjustments
 */
async function loadAdjustments(
  tx: Tx,
  company: CompanyId,
  records: readonly AccountRecord[],
  { idOf, now, invalidRows }: Loading,
): Promise<AccountRecord[]> {
  const all = records.filter(({ kind }) => kind === 'adjustment')
  if (all.length === 0) return []
  const rows = await tx
    .selectFrom('utility_adjustment')
    .selectAll()
    .where('company_id', '=', company)
    .where(sql<boolean>`adjustment_number = ANY(${column(all, 'record_number')}::text[])`)
    .execute()
  const here = new Map<string, Adjustment>(rows.map((row) => [row.adjustment_number, row]))
  const fresh = all.filter((record) => !here.has(record.record_number))
  for (const record of all) {
    const existing = here.get(record.record_number)
    if (existing && !isSame(existing, record, idOf(record)))
      invalidRows.push({
        line: record.line,
        reason: `Adjustment ${record.record_number} of ${formatCents(existing.amount_cents)} was already imported with different data. An adjustment cannot change. Send a new adjustment.`,
      })
  }
  if (fresh.length === 0) return []
  await sql`
    INSERT INTO utility_adjustment (company_id, imported_at, account_id, adjustment_number, adjusted_on, amount_cents, reason)
    SELECT ${company}::int, ${now}::timestamptz, x.*
    FROM unnest(${fresh.map(idOf)}::bigint[], ${column(fresh, 'record_number')}::text[], ${column(fresh, 'date')}::date[],
      ${column(fresh, 'amount_cents')}::bigint[], ${column(fresh, 'reason')}::text[]) AS x`.execute(tx)
  return fresh
}

const isSame = (existing: Adjustment, record: AccountRecord, account: number): boolean =>
  existing.account_id === account &&
  existing.adjusted_on === record.date &&
  existing.amount_cents === record.amount_cents &&
  existing.reason === record.reason

/**
 * Loads shutoff steps. Each line contains the day of one step.
 * @returns the lines that changed a shutoff
 */
async function loadShutoffs(
  tx: Tx,
  company: CompanyId,
  records: readonly AccountRecord[],
  { idOf, now, invalidRows }: Loading,
): Promise<AccountRecord[]> {
  const all = records.filter(({ kind }) => kind !== 'adjustment')
  if (all.length === 0) return []
  const rows = await tx
    .selectFrom('utility_shutoff')
    .select(['shutoff_number', 'account_id', 'scheduled_on', 'off_on', 'restored_on', 'amount_cents', 'reason'])
    .where('company_id', '=', company)
    .where(sql<boolean>`shutoff_number = ANY(${column(all, 'record_number')}::text[])`)
    .execute()
  const here = new Map<string, Shutoff>(rows.map(({ shutoff_number, ...row }) => [shutoff_number, row]))
  const changed: AccountRecord[] = []
  for (const record of all) {
    const before = here.get(record.record_number)
    const after = withStep(before, record, idOf(record))
    if (typeof after === 'string') invalidRows.push({ line: record.line, reason: after })
    else if (JSON.stringify(after) !== JSON.stringify(before)) {
      here.set(record.record_number, after)
      changed.push(record)
    }
  }
  const written = [...new Set(column(changed, 'record_number'))].flatMap((number) => {
    const row = here.get(number)
    return row ? [{ number, ...row }] : []
  })
  if (written.length === 0) return []
  const part = <K extends keyof (typeof written)[number]>(name: K) => written.map((row) => row[name])
  await sql`
    INSERT INTO utility_shutoff (company_id, imported_at, shutoff_number, account_id, scheduled_on, off_on, restored_on, amount_cents, reason)
    SELECT ${company}::int, ${now}::timestamptz, x.*
    FROM unnest(${part('number')}::text[], ${part('account_id')}::bigint[], ${part('scheduled_on')}::date[], ${part('off_on')}::date[],
      ${part('restored_on')}::date[], ${part('amount_cents')}::bigint[], ${part('reason')}::text[]) AS x
    ON CONFLICT (company_id, shutoff_number) DO UPDATE SET imported_at = excluded.imported_at,
      scheduled_on = excluded.scheduled_on, off_on = excluded.off_on, restored_on = excluded.restored_on,
      amount_cents = excluded.amount_cents, reason = excluded.reason`.execute(tx)
  await recordUpdates(tx, company, changed, { idOf, now })
  return changed
}

/** Returns the shutoff after applying a line, or the reason to refuse the line. */
function withStep(before: Shutoff | undefined, record: AccountRecord, account: number): Shutoff | string {
  const { record_number: number, kind, date, amount_cents, reason } = record
  if (kind === 'adjustment') throw new Error('an adjustment is not a shutoff step')
  const empty = { scheduled_on: null, off_on: null, restored_on: null, amount_cents: null, reason: '' }
  const current: Shutoff = before ?? { account_id: account, ...empty }
  if (current.account_id !== account) return `Shutoff ${number} already belongs to another account.`
  const day = current[steps[kind]]
  if (kind !== 'shutoff_restored' && current.restored_on !== null && day !== null && day !== date)
    return `Shutoff ${number} ended on ${current.restored_on}. Use a new number for another shutoff.`
  const after = { ...current, [steps[kind]]: date }
  if (after.off_on !== null && after.restored_on !== null && after.restored_on < after.off_on)
    return `Shutoff ${number} cannot end on ${after.restored_on}, before its start on ${after.off_on}.`
  // If the shutoff is already at a later step, ignores the amount of this line. Otherwise, loading the same lines again
  // would change the shutoff.
  return order.indexOf(kind) < stepOf(current) ? after : { ...after, amount_cents, reason }
}

/** Queues the shutoffs for the job that notifies people who linked the accounts. */
async function recordUpdates(
  tx: Tx,
  company: CompanyId,
  changed: readonly AccountRecord[],
  { idOf, now }: Pick<Loading, 'idOf' | 'now'>,
): Promise<void> {
  const since = addDays(toIso(now), -UPDATE_DAYS)
  const fresh = changed.filter(({ date }) => date >= since)
  if (fresh.length === 0) return
  await sql`
    INSERT INTO utility_update (company_id, account_id, shutoff_number)
    SELECT DISTINCT ${company}::int, x.id, x.number
    FROM unnest(${fresh.map(idOf)}::bigint[], ${column(fresh, 'record_number')}::text[]) AS x(id, number)
    WHERE EXISTS (SELECT FROM linked_account l WHERE l.company_id = ${company} AND l.account_id = x.id)`.execute(tx)
}
