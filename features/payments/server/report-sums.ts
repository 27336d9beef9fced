import { type RawBuilder, sql } from 'kysely'
import { COUNT_CAP } from '../../../shared/table.ts'
import type { Asked } from '../../../server/list.ts'
import { allOf, cappedCount } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { paymentReport } from '../list.ts'
import { orderStatus } from '../rules.ts'

type Question = Asked<(typeof paymentReport)['filters']>
type Conditions = readonly RawBuilder<unknown>[]

interface Amounts {
  amountCents: number
  feeCents: number
  totalCents: number
}
interface Sums {
  count: number
  totals: Amounts & Record<Exclude<Part, 'kept'>, Amounts>
}

/** What narrows by payments rather than by kinds of days. */
const apart = ['status', 'declined', 'returned', 'disputed', 'fee'] as const

/** The town's payments, as they can be searched. */
const PAYMENTS = sql`found_payment_order r`

/**
 * How many payments match, counted up to the cap, and what came of all of them. Days and kinds of payment are answered by
 * the sums of days, a search or a status payment by payment; both are kept as the ledger is written.
 */
export const sumsOf = (tx: Tx, asked: Question, matching: Conditions): Promise<Sums> =>
  asked.question.search || apart.some((name) => asked.question.filters[name] !== undefined)
    ? sumPayments(tx, matching)
    : sumDays(tx, asked, matching)

const parts = ['kept', 'refunded', 'returned', 'voided', 'unpaid', 'owed', 'other'] as const
type Part = (typeof parts)[number]
type Pair = { bill: number; fee: number }

function totalsFrom(known: Partial<Record<Part, Pair>>): Sums['totals'] {
  const of = (part: Part) => {
    const { bill = 0, fee = 0 } = known[part] ?? {}
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

type Half = 'bill' | 'fee'

/** A sum of both halves of an amount, of what meets the condition. */
const sumOf = (cents: (half: Half) => string, condition = sql`true`) => {
  const sum = (half: Half) => sql`coalesce(sum(${sql.raw(cents(half))}) FILTER (WHERE ${condition}), 0)`
  return sql`jsonb_build_object('bill', ${sum('bill')}, 'fee', ${sum('fee')})`
}
const listed = (sums: Partial<Record<Part, RawBuilder<unknown>>>) =>
  sql.join(Object.entries(sums).map(([part, sum]) => sql`${sum} AS ${sql.ref(part)}`))

const isVoid = sql`status = ${sql.lit(orderStatus.void)}`
/** What a payment asked for, without what it kept and what was refunded or returned of it. */
const restOf = (half: Half) => `${half}_cents - kept_${half}_cents - refunded_${half}_cents - returned_${half}_cents`

/**
 * Payments `r` with what their fee of its own still asks for (`owed`), and with what it asked for in vain too (`uncharged`): a fee
 * that was waived counts as not paid, whatever became of its bill.
 */
const withFees = (join: RawBuilder<unknown>, conditions: Conditions) => sql`(
  SELECT r.*, coalesce(f.amount_cents, 0) AS uncharged, CASE WHEN f.status IN ('waiting', 'owed') THEN f.amount_cents ELSE 0 END AS owed
  FROM ${PAYMENTS} ${join} payment_fee f ON f.company_id = r.company_id AND f.id = r.id AND f.status IN ('waiting', 'owed', 'waived', 'dropped')
  WHERE ${allOf(conditions)}) r`
const ofFee = (cents: string) => (half: Half) => (half === 'fee' ? cents : '0')
const uncharged = ofFee('uncharged')
const givenUp = ofFee('uncharged - owed')
const isPaid = sql`paid_at IS NOT NULL AND NOT ${isVoid}`

const ofPayments = listed({
  kept: sumOf((half) => `kept_${half}_cents`),
  refunded: sumOf((half) => `refunded_${half}_cents`),
  returned: sumOf((half) => `returned_${half}_cents`),
  voided: sumOf(restOf, isVoid),
  unpaid: sumOf(
    (half) => `CASE WHEN paid_at IS NULL THEN ${restOf(half)} ELSE ${givenUp(half)} END`,
    sql`NOT ${isVoid}`,
  ),
  owed: sumOf(ofFee('owed'), isPaid),
  other: sumOf((half) => `${restOf(half)} - ${uncharged(half)}`, isPaid),
})

async function sumPayments(tx: Tx, matching: Conditions): Promise<Sums> {
  const { rows } = await sql<{ count: number } & Record<Part, Pair>>`
    SELECT least(count(*), ${COUNT_CAP})::int AS count, ${ofPayments}
    FROM ${withFees(sql`LEFT JOIN`, matching)}`.execute(tx)
  const [{ count, ...known } = { count: 0 }] = rows
  return { count, totals: totalsFrom(known) }
}

const came = (half: Half) => `${half}_cents`
const went = (half: Half) => `-${half}_cents`

const ways = {
  refunded: sql`(way LIKE 'refund%' OR way = 'dispute_lost')`,
  returned: sql`way LIKE 'return%'`,
  voided: sql`way LIKE 'void%'`,
}
const ofDays = listed({
  kept: sumOf(came),
  refunded: sumOf(went, ways.refunded),
  returned: sumOf(went, ways.returned),
  voided: sumOf(went, ways.voided),
  other: sumOf(went, sql`way <> 'capture' AND NOT (${sql.join(Object.values(ways), sql` OR `)})`),
})
/** What was asked for and never paid is no movement of money: these few payments are looked up. */
const ofUncharged = listed({
  voided: sumOf(uncharged, isVoid),
  unpaid: sumOf(givenUp, sql`NOT ${isVoid}`),
  owed: sumOf(ofFee('owed'), sql`NOT ${isVoid}`),
})
const ofUnpaid = listed({ voided: sumOf(came, isVoid), unpaid: sumOf(came, sql`NOT ${isVoid}`) })

async function sumDays(tx: Tx, { company, question }: Question, matching: Conditions): Promise<Sums> {
  const { fromDate, toDate, method, location } = question.filters
  const days = [sql`company_id = ${company?.id}`]
  if (fromDate) days.push(sql`made_on >= ${fromDate}`)
  if (toDate) days.push(sql`made_on <= ${toDate}`)
  if (method !== undefined) days.push(sql`method = ${method}`)
  if (location !== undefined) days.push(sql`location = ${location}`)
  const unpaid = [...matching, sql`paid_at IS NULL AND status IN (0, 2, 5)`]
  // Counted in the order of an index, so that no more is read than is counted.
  const counted = cappedCount(sql`SELECT 1 FROM ${PAYMENTS} WHERE ${allOf(matching)} ORDER BY created_at DESC, id DESC`)
  type Unpaid = Record<'voided' | 'unpaid', Pair>
  const { rows } = await sql<{
    count: number
    moved: Record<Part, Pair>
    unpaid: Unpaid
    fees: Unpaid & { owed: Pair }
  }>`
    SELECT (${counted}) AS count,
      (SELECT to_jsonb(m) FROM (SELECT ${ofDays} FROM (
        SELECT way, sum(bill_cents) AS bill_cents, sum(fee_cents) AS fee_cents FROM payment_day WHERE ${allOf(days)} GROUP BY way) d) m) AS moved,
      (SELECT to_jsonb(u) FROM (SELECT ${ofUnpaid} FROM ${PAYMENTS} WHERE ${allOf(unpaid)}) u) AS unpaid,
      (SELECT to_jsonb(n) FROM (SELECT ${ofUncharged} FROM ${withFees(sql`JOIN`, [...matching, sql`f.company_id = ${company?.id}`])}) n) AS fees`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('sums answer one row')
  const voided = [row.unpaid.voided, row.fees.voided].reduce(added, row.moved.voided)
  const notPaid = added(row.unpaid.unpaid, row.fees.unpaid)
  return { count: row.count, totals: totalsFrom({ ...row.moved, voided, unpaid: notPaid, owed: row.fees.owed }) }
}

const added = (a: Pair, b: Pair): Pair => ({
  bill: a.bill + b.bill,
  fee: a.fee + b.fee,
})
