import { type RawBuilder, sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, addMonths, firstOfMonth } from '../../../shared/dates.ts'
import { methods as paymentMethods, ownSources } from '../../payments/rules.ts'
import type { Volume } from '../contract.ts'
import { barsOf, NO_PROVIDER, type Period } from '../rules.ts'

/** Returns an SQL condition that is true if a payment provider processed the payment with this source. */
export const tookByProvider = (source: RawBuilder<unknown>) =>
  sql`${source} NOT IN (${sql.join(ownSources.map((own) => sql.lit(own)))})`

/** SQL for the payment method in merchant reports. `NO_PROVIDER` for a card or eCheck without a payment provider. */
export const MERCHANT_METHOD = sql`CASE WHEN method IN (${sql.lit(paymentMethods.card)}, ${sql.lit(paymentMethods.echeck)}) AND NOT ${tookByProvider(sql`provider`)} THEN ${sql.lit(NO_PROVIDER)} ELSE method END`

/** Payment totals of this period and the previous period, by payment method and location. */
interface Sum {
  now: boolean
  method: number
  location: number
  movement_type: string
  payments: number
  bill: number
  fee: number
  absorbed: number
}

/** Loads the payment totals of both periods by payment date, as in the Payment Transaction Report. */
export async function sumsOf(tx: Tx, company: CompanyId, now: Period, before: Period): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    SELECT made_on >= ${now.fromDate} AS now, ${MERCHANT_METHOD} AS method, location, movement_type, sum(payments)::int AS payments, sum(bill_cents)::bigint AS bill,
      sum(fee_cents)::bigint AS fee, sum(absorbed_cents)::bigint AS absorbed
    FROM payment_day WHERE company_id = ${company} AND made_on BETWEEN ${before.fromDate} AND ${now.toDate} GROUP BY 1, 2, 3, 4`.execute(
    tx,
  )
  return rows
}

const partOf = (type: string): 'refundedCents' | 'returnedCents' | 'voidedCents' | 'otherCents' => {
  if (type.startsWith('refund') || type === 'dispute_lost') return 'refundedCents'
  if (type.startsWith('return')) return 'returnedCents'
  return type.startsWith('void') ? 'voidedCents' : 'otherCents'
}

/** Computes the totals, with the same categories as in the Payment Transaction Report. */
export function volumeOf(sums: readonly Sum[]): Volume {
  const volume: Volume = {
    ...{ payments: 0, billCents: 0, feeCents: 0, grossCents: 0, retainedCents: 0 },
    ...{ refundedCents: 0, returnedCents: 0, voidedCents: 0, otherCents: 0 },
  }
  for (const { movement_type, payments, bill, fee } of sums) {
    volume.retainedCents += bill + fee
    if (movement_type === 'capture') {
      volume.payments += payments
      volume.billCents += bill
      volume.feeCents += fee
      volume.grossCents += bill + fee
    } else volume[partOf(movement_type)] -= bill + fee
  }
  return volume
}

export const bothOf = <Of>(sums: readonly Sum[], of: (some: readonly Sum[]) => Of): { now: Of; before: Of } => ({
  now: of(sums.filter(({ now }) => now)),
  before: of(sums.filter(({ now }) => !now)),
})

/** Groups sums by the number that `by` returns, in ascending order. */
export const sumsBy = (sums: readonly Sum[], by: (sum: Sum) => number) =>
  [...Map.groupBy(sums, by)]
    .toSorted(([a], [b]) => a - b)
    .map(([number, some]) => ({ number, ...bothOf(some, volumeOf) }))

/** Sums the fees: paid by payers, absorbed by the company, and refunded from both. */
export function feesOf(sums: readonly Sum[]): { paidCents: number; absorbedCents: number; refundCents: number } {
  const fees = { paidCents: 0, absorbedCents: 0, refundCents: 0 }
  for (const { movement_type, fee, absorbed } of sums)
    if (movement_type === 'capture') {
      fees.paidCents += fee
      fees.absorbedCents += absorbed
    } else fees.refundCents -= fee + absorbed
  return fees
}

interface Point {
  at: string
  cardCents: number
  echeckCents: number
  officeCents: number
}

const isPart = (condition: RawBuilder<unknown>) =>
  sql`coalesce(sum(bill_cents + fee_cents) FILTER (WHERE ${condition}), 0)::bigint`

/** Returns payments by day or month, without gaps. */
export async function pointsOf(tx: Tx, company: CompanyId, period: Period): Promise<Point[]> {
  const bar = barsOf(period)
  const { rows } = await sql<Point>`
    SELECT to_char(made_on, ${bar === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM'}) AS at, ${isPart(sql`${MERCHANT_METHOD} = ${paymentMethods.card}`)} AS "cardCents",
      ${isPart(sql`${MERCHANT_METHOD} = ${paymentMethods.echeck}`)} AS "echeckCents", ${isPart(sql`${MERCHANT_METHOD} NOT IN (${paymentMethods.card}, ${paymentMethods.echeck})`)} AS "officeCents"
    FROM payment_day WHERE company_id = ${company} AND made_on BETWEEN ${period.fromDate} AND ${period.toDate} AND movement_type = 'capture' GROUP BY 1`.execute(
    tx,
  )
  const rowsByDay = new Map(rows.map((row) => [row.at, row]))
  return namesOf(period, bar).map((at) => rowsByDay.get(at) ?? { at, cardCents: 0, echeckCents: 0, officeCents: 0 })
}

function namesOf({ fromDate, toDate }: Period, bar: 'day' | 'month'): string[] {
  const names: string[] = []
  if (bar === 'day') for (let day = fromDate; day <= toDate; day = addDays(day, 1)) names.push(day)
  else for (let day = firstOfMonth(fromDate); day <= toDate; day = addMonths(day, 1)) names.push(day.slice(0, 7))
  return names
}
