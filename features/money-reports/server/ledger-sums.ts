import { type RawBuilder, sql } from 'kysely'
import type { FeeProgram } from '../../payments/rules-fees.ts'
import { companyAccounts } from '../../payments/rules-ledger.ts'
import { methods } from '../../payments/rules.ts'

/** First and last day of a report, both included. */
export interface Period {
  fromDate: string
  toDate: string
}
export interface FeePeriod extends Period {
  absorbFee?: '0' | '1' | undefined
  /** Fee program that charged the payment's lines. */
  program?: FeeProgram | undefined
  countedBy: 'payment' | 'money'
}

/** Returns the column that dates an amount: the payment date or the day of the movement. */
export const dayOf = ({ countedBy }: FeePeriod) => sql.ref(countedBy === 'money' ? 'd.moved_on' : 'd.made_on')

/**
 * Returns SQL that sums the captures and refunds of a period as `m`, grouped by `by`, such as a day or a company. The
 * daily rows are summed in one scan, and all figures are computed from these sums. Covers all companies if `company` is
 * undefined.
 */
export const moves = (by: RawBuilder<unknown>, period: FeePeriod, company: number | undefined) => sql`(
  SELECT ${by} AS by, d.method, d.movement_type = 'capture' AS captured, sum(d.payments) AS payments, sum(d.bill_cents) AS bill, sum(d.fee_cents) AS fee, sum(d.absorbed_cents) AS absorbed
  FROM payment_day d
  WHERE ${dayOf(period)} BETWEEN ${period.fromDate} AND ${period.toDate}${absorbedBy(period)}${period.program === undefined ? sql`` : sql` AND d.program = ${period.program}`}${company === undefined ? sql`` : sql` AND d.company_id = ${company}`}
  GROUP BY 1, 2, 3) m`

/** Filters by the fee setting at the time of each payment, not by the company's current setting. */
function absorbedBy({ absorbFee }: FeePeriod): RawBuilder<unknown> {
  if (absorbFee === undefined) return sql``
  return absorbFee === '1' ? sql` AND d.absorbs` : sql` AND NOT d.absorbs`
}

const sum = (what: RawBuilder<unknown>, when: RawBuilder<unknown> = sql`true`) =>
  sql`coalesce(sum(${what}) FILTER (WHERE ${when}), 0)::bigint`
const [card, echeck] = [sql`m.method = ${sql.lit(methods.card)}`, sql`m.method = ${sql.lit(methods.echeck)}`]
const [captured, fee] = [sql`m.captured`, sql`m.fee + m.absorbed`]

/** SQL for the columns of the fee report, computed from the movements `m`. The keys are the names in the response. */
const feeColumns = {
  payments: sum(sql`m.payments`),
  amountCents: sum(sql`m.bill`),
  paidCents: sum(sql`m.fee`, captured),
  absorbedCents: sum(sql`m.absorbed`, captured),
  refundCents: sum(sql`-(${fee})`, sql`NOT ${captured}`),
  feeCents: sum(fee),
  totalCents: sum(sql`m.bill + m.fee`),
  cardPayments: sum(sql`m.payments`, card),
  cardAmountCents: sum(sql`m.bill`, card),
  cardFeeCents: sum(fee, card),
  echeckPayments: sum(sql`m.payments`, echeck),
  echeckAmountCents: sum(sql`m.bill`, echeck),
  echeckFeeCents: sum(fee, echeck),
}
export type FeeFigures = Record<keyof typeof feeColumns, number>
export const feeNames = Object.keys(feeColumns) as (keyof FeeFigures)[]

const listed = (columns: Record<string, RawBuilder<unknown>>) =>
  sql.join(Object.entries(columns).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`))
export const feeFigures = listed(feeColumns)

/** Converts the figures to the response format. */
export const feesOf = (figures: FeeFigures) => {
  const { cardPayments, cardAmountCents, cardFeeCents, echeckPayments, echeckAmountCents, echeckFeeCents, ...whole } =
    figures
  return {
    ...whole,
    card: { payments: cardPayments, amountCents: cardAmountCents, feeCents: cardFeeCents },
    echeck: { payments: echeckPayments, amountCents: echeckAmountCents, feeCents: echeckFeeCents },
  }
}

/**
 * Returns SQL that selects the daily `gain` of the revenue and expense accounts as `m`. The gain is credits less debits
 * for a revenue account, and the reverse for an expense account. The ledger maintains daily totals, so a yearly report
 * reads only daily rows.
 */
export const gains = ({ fromDate, toDate }: Period, company: RawBuilder<unknown>) => sql`(
  SELECT d.day, a.code, a.name, a.kind, d.other, CASE a.kind WHEN 'revenue' THEN d.cents ELSE -d.cents END AS gain
  FROM earning_day d
  JOIN ledger_account a ON a.company_id = ${company} AND a.code = d.account AND a.code NOT IN (${sql.join([...companyAccounts])})
  WHERE d.company_id = ${company} AND d.day BETWEEN ${fromDate} AND ${toDate}) m`

const [revenue, expense] = [sql`m.kind = 'revenue'`, sql`m.kind = 'expense'`]
const profitColumns = {
  paidCents: sum(sql`m.gain`, sql`m.code = 'fee_revenue' AND m.other <> 'absorbed_fee'`),
  absorbedCents: sum(sql`m.gain`, sql`m.code = 'fee_revenue' AND m.other = 'absorbed_fee'`),
  revenueCents: sum(sql`m.gain`, revenue),
  absorbedExpenseCents: sum(sql`m.gain`, sql`m.code = 'absorbed_fee'`),
  providerCostCents: sum(sql`m.gain`, sql`m.code = 'provider_cost'`),
  expenseCents: sum(sql`m.gain`, expense),
  netCents: sql`(${sum(sql`m.gain`, revenue)} - ${sum(sql`m.gain`, expense)})`,
}
export type ProfitFigures = Record<keyof typeof profitColumns, number>
export const profitNames = Object.keys(profitColumns) as (keyof ProfitFigures)[]
export const profitFigures = listed(profitColumns)
