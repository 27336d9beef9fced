import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '../../../shared/table.ts'
import type { ListQuery, Matching } from '../../../server/list-source.ts'
import { allOf, cappedCount, litList } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { paymentReport } from '../list.ts'
import { orderStatus } from '../../payments/rules.ts'

type Question = ListQuery<(typeof paymentReport)['filters']>
type Conditions = readonly RawBuilder<unknown>[]

interface Amounts {
  amountCents: number
  feeCents: number
  totalCents: number
}
type Totals = Amounts & Record<Exclude<Part, 'kept'>, Amounts>
interface Sums {
  count: number
  /** Null if more than `COUNT_CAP` payments match and the caller did not request all totals. */
  totals: Totals | null
}

/** Filters that the daily sums cannot apply. */
const separateFilters = ['declined', 'returned', 'disputed', 'fee'] as const

/** Table of searchable payments. */
const PAYMENTS = sql`found_payment_order r`

/**
 * Loads count and totals of the matching payments. Totals are exact or missing, never partial:
 * - Totals by day, method and location come from the daily sums, which `npm run verify` checks.
 * - Nearly all payments are successful. Their totals are the daily sums minus the few other payments.
 * - Payments with other statuses are few, so the query finds them through an index and adds them up.
 * - For a search or a filter by reason, the query adds up at most `COUNT_CAP` payments. If more match, staff request
 * the totals with a button.
 */
export function sumsOf(tx: Tx, query: Question, matching: Matching<(typeof paymentReport)['filters']>): Promise<Sums> {
  const { filters, search, totals } = query.question
  const payments = sql`SELECT * FROM ${PAYMENTS} WHERE ${allOf(matching.conditions(query))}`
  if (search || separateFilters.some((name) => filters[name] !== undefined))
    return totals === 'all' ? sumPayments(tx, payments) : sumPayments(tx, matching.cutRows(query), true)
  if (filters.status === undefined) return sumDays(tx, query, matching.conditions(query))
  if (filters.status !== orderStatus.success) return sumPayments(tx, payments)
  return sumSuccessful(tx, query, matching)
}

const parts = ['kept', 'refunded', 'returned', 'voided', 'unpaid', 'owed', 'other'] as const
type Part = (typeof parts)[number]
type Pair = { bill: number; fee: number }

function totalsFrom(sums: Partial<Record<Part, Pair>>): Totals {
  const of = (part: Part) => {
    const { bill = 0, fee = 0 } = sums[part] ?? {}
    return { amountCents: bill, feeCents: fee, totalCents: bill + fee }
  }
  return {
    ...of('kept'),
    refunded: of('refunded'),
    returned: of('returned'),
    voided: of('voided'),
    unpaid: of('unpaid'),
    owed: of('owed'),
    other: of('other'),
  }
}

interface PartSums {
  count: number
  sums: Partial<Record<Part, Pair>>
}

type ReportPart = 'bill' | 'fee'

/** Returns the SQL for the sums of the bill part and the fee part, over rows that meet the condition. */
const sumOf = (cents: (half: ReportPart) => string, condition = sql`true`) => {
  const sum = (half: ReportPart) => sql`coalesce(sum(${sql.raw(cents(half))}) FILTER (WHERE ${condition}), 0)`
  return sql`jsonb_build_object('bill', ${sum('bill')}, 'fee', ${sum('fee')})`
}
const listed = (sums: Partial<Record<Part, RawBuilder<unknown>>>) =>
  sql.join(Object.entries(sums).map(([part, sum]) => sql`${sum} AS ${sql.ref(part)}`))

const isVoid = sql`status = ${sql.lit(orderStatus.void)}`
/** Returns the SQL for the requested amount minus the net, refunded and returned amounts. */
const restOf = (half: ReportPart) =>
  `${half}_cents - net_${half}_cents - refunded_${half}_cents - returned_${half}_cents`

/**
 * Returns payments `r` with two amounts of their separate fee: still owed (`owed`) and not charged (`uncharged`). A
 * waived fee counts as unpaid, whatever the status of its bill.
 */
const withFees = (payments: RawBuilder<unknown>, join: RawBuilder<unknown>) => sql`(
  SELECT r.*, coalesce(f.amount_cents, 0) AS uncharged, CASE WHEN f.status IN ('waiting', 'owed') THEN f.amount_cents ELSE 0 END AS owed
  FROM ${payments} ${join} payment_fee f ON f.company_id = r.company_id AND f.id = r.id AND f.status IN ('waiting', 'owed', 'waived', 'dropped')) r`
const ofFee = (cents: string) => (half: ReportPart) => (half === 'fee' ? cents : '0')
const uncharged = ofFee('uncharged')
const unpaidFee = ofFee('uncharged - owed')
const isPaid = sql`paid_at IS NOT NULL AND NOT ${isVoid}`

const ofPayments = listed({
  kept: sumOf((half) => `net_${half}_cents`),
  refunded: sumOf((half) => `refunded_${half}_cents`),
  returned: sumOf((half) => `returned_${half}_cents`),
  voided: sumOf(restOf, isVoid),
  unpaid: sumOf(
    (half) => `CASE WHEN paid_at IS NULL THEN ${restOf(half)} ELSE ${unpaidFee(half)} END`,
    sql`NOT ${isVoid}`,
  ),
  owed: sumOf(ofFee('owed'), isPaid),
  other: sumOf((half) => `${restOf(half)} - ${uncharged(half)}`, isPaid),
})

async function sumPayments(tx: Tx, payments: RawBuilder<unknown>, isCut = false): Promise<Sums> {
  const { count, sums } = await addPayments(tx, payments)
  return { count, totals: isCut && count >= COUNT_CAP ? null : totalsFrom(sums) }
}

async function addPayments(tx: Tx, payments: RawBuilder<unknown>): Promise<PartSums> {
  const { rows } = await sql<{ count: number } & Record<Part, Pair>>`
    SELECT least(count(*), ${COUNT_CAP})::int AS count, ${ofPayments} FROM ${withFees(sql`(${payments}) r`, sql`LEFT JOIN`)}`.execute(
    tx,
  )
  const [{ count, ...sums } = { count: 0 }] = rows
  return { count, sums }
}

const came = (half: ReportPart) => `${half}_cents`
const went = (half: ReportPart) => `-${half}_cents`

const sums = {
  refunded: sql`(movement_type LIKE 'refund%' OR movement_type = 'dispute_lost')`,
  returned: sql`movement_type LIKE 'return%'`,
  voided: sql`movement_type LIKE 'void%'`,
}
const ofDays = listed({
  kept: sumOf(came),
  refunded: sumOf(went, sums.refunded),
  returned: sumOf(went, sums.returned),
  voided: sumOf(went, sums.voided),
  other: sumOf(went, sql`movement_type <> 'capture' AND NOT (${sql.join(Object.values(sums), sql` OR `)})`),
})
/** Separate fees that were never charged are not in the ledger, so the query reads these few payments directly. */
const ofUncharged = listed({
  voided: sumOf(uncharged, isVoid),
  unpaid: sumOf(unpaidFee, sql`NOT ${isVoid}`),
  owed: sumOf(ofFee('owed'), sql`NOT ${isVoid}`),
})
const ofUnpaid = listed({ voided: sumOf(came, isVoid), unpaid: sumOf(came, sql`NOT ${isVoid}`) })

async function sumSuccessful(tx: Tx, query: Question, matching: Matching<(typeof paymentReport)['filters']>) {
  const filters = { ...query.question.filters, status: undefined }
  const ofAll = { ...query, question: { ...query.question, filters } }
  const all = matching.conditions(ofAll)
  const isOther = sql`r.status <> ${sql.lit(orderStatus.success)}`
  const [{ count, sums }, others] = await Promise.all([
    addDays(tx, ofAll, all, matching.conditions(query)),
    addPayments(tx, sql`SELECT * FROM ${PAYMENTS} WHERE ${allOf([...all, isOther])}`),
  ])
  const left = parts.map((part) => [part, added(sums[part] ?? NONE, others.sums[part] ?? NONE, -1)])
  return { count, totals: totalsFrom(Object.fromEntries(left)) }
}

async function sumDays(tx: Tx, query: Question, conditions: Conditions): Promise<Sums> {
  const { count, sums } = await addDays(tx, query, conditions, conditions)
  return { count, totals: totalsFrom(sums) }
}

/** @param counting conditions of the count, which may be stricter than those of the sums */
async function addDays(
  tx: Tx,
  { company, question }: Question,
  matching: Conditions,
  counting: Conditions,
): Promise<PartSums> {
  const { fromDate, toDate, method, location } = question.filters
  const days = [sql`company_id = ${company?.id}`]
  if (fromDate) days.push(sql`made_on >= ${fromDate}`)
  if (toDate) days.push(sql`made_on <= ${toDate}`)
  if (method !== undefined) days.push(sql`method = ${method}`)
  if (location !== undefined) days.push(sql`location = ${location}`)
  const unpaid = [
    ...matching,
    sql`paid_at IS NULL AND status IN (${litList([orderStatus.pending, orderStatus.declined, orderStatus.void])})`,
  ]
  // Counts in index order, so that the query reads no more rows than the cap.
  const counted = cappedCount(sql`SELECT 1 FROM ${PAYMENTS} WHERE ${allOf(counting)} ORDER BY created_at DESC, id DESC`)
  type UnpaidSums = Record<'voided' | 'unpaid', Pair>
  const { rows } = await sql<{
    count: number
    moved: Record<Part, Pair>
    unpaid: UnpaidSums
    fees: UnpaidSums & { owed: Pair }
  }>`
    SELECT (${counted}) AS count,
      (SELECT to_jsonb(m) FROM (SELECT ${ofDays} FROM (
        SELECT movement_type, sum(bill_cents) AS bill_cents, sum(fee_cents) AS fee_cents FROM payment_day WHERE ${allOf(days)} GROUP BY movement_type) d) m) AS moved,
      (SELECT to_jsonb(u) FROM (SELECT ${ofUnpaid} FROM ${PAYMENTS} WHERE ${allOf(unpaid)}) u) AS unpaid,
      (SELECT to_jsonb(n) FROM (SELECT ${ofUncharged} FROM ${withFees(sql`(SELECT * FROM ${PAYMENTS} WHERE ${allOf(matching)}) r`, sql`JOIN`)} WHERE company_id = ${company?.id}) n) AS fees`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('sums answer one row')
  const voided = added(added(row.moved.voided, row.unpaid.voided), row.fees.voided)
  const notPaid = added(row.unpaid.unpaid, row.fees.unpaid)
  return { count: row.count, sums: { ...row.moved, voided, unpaid: notPaid, owed: row.fees.owed } }
}

const NONE: Pair = { bill: 0, fee: 0 }
const added = (a: Pair, b: Pair, times = 1): Pair => ({
  bill: a.bill + times * b.bill,
  fee: a.fee + times * b.fee,
})
