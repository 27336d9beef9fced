import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn, midnightIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { accountYear } from '../contract.ts'
import { daysOf, monthsBefore, sumOf, unusualTitle, unusualUse, type UsageSeries, yearUpTo } from '../rules.ts'
import { adjustmentsOf, type Bill, billsOf, compare } from './bills.ts'
import { findLinked } from './linked.ts'
import { usesOf } from './uses.ts'

/** Loads twelve months of an account and the previous twelve. */
export const accountYearCall = implement(accountYear, (call) => {
  const { company, body, context } = call
  const person = signedIn(call).personId
  const today = dateIn(company.timeZone, context.clock.now())
  const months = yearUpTo(today)
  const from = `${monthsBefore(today.slice(0, 7), 23)}-01`
  return call.reading(async (tx) => {
    await findLinked(tx, { company: company.id, person, account: body.accountId }, today)
    const bills = await billsOf(tx, company.id, body.accountId, from, '9999-12-31')
    const [uses, received, adjusted] = await Promise.all([
      usesOf(tx, company.id, body.accountId, from, bills),
      receivedOf(tx, company, body.accountId, from),
      adjustmentsOf(tx, company.id, body.accountId, from, '9999-12-31'),
    ])
    const [newest] = bills
    return {
      billed: withPreviousYear(months, bills.map(billed)),
      paid: withPreviousYear(months, [...received, ...bills.map(paidElsewhere)]),
      uses: inMonths(months, uses),
      hint: hintOf(uses),
      newest: newest
        ? { number: newest.bill_number, amountCents: newest.amount_cents, comparison: compare(bills, uses, adjusted) }
        : null,
    }
  })
})

/**
 * Groups the usage by these months, with the usage of the previous year for comparison. Includes the underlying
 * readings or bills.
 */
export const inMonths = (months: readonly string[], uses: readonly UsageSeries[]) =>
  uses.map((one) => ({
    service: one.service,
    unit: one.unit,
    source: one.source,
    months: withPreviousYear(
      months,
      one.uses.map(({ until, used, days }) => ({ month: until.slice(0, 7), value: used, days })),
    ),
    periods: one.uses.toReversed(),
  }))

interface MonthValue {
  month: string
  value: number
  days: number
}

export const billed = (bill: Bill): MonthValue => ({
  month: bill.bill_date.slice(0, 7),
  value: bill.amount_cents,
  days: daysOf(bill),
})

/**
 * Returns the amount of a bill that was paid outside the portal, in the month of the bill. The billing system does not
 * report the payment date.
 */
const paidElsewhere = (bill: Bill): MonthValue => ({
  month: bill.bill_date.slice(0, 7),
  value: bill.paid_elsewhere_cents,
  days: 0,
})

/** Loads portal payments minus reversals, by month in the company's time zone. */
async function receivedOf(tx: Tx, { id, timeZone }: Company, account: number, from: string): Promise<MonthValue[]> {
  const { rows } = await sql<{ month: string; value: number }>`
    SELECT to_char(at AT TIME ZONE ${timeZone}, 'YYYY-MM') AS month,
      sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END)::bigint AS value
    FROM remittance WHERE company_id = ${id} AND account_id = ${account} AND at >= ${midnightIn(timeZone, from)}
    GROUP BY 1`.execute(tx)
  return rows.map((row) => ({ ...row, days: 0 }))
}

/** Pairs each month with the same month of the previous year. */
export function withPreviousYear(months: readonly string[], all: readonly MonthValue[]) {
  const by = Map.groupBy(all, ({ month }) => month)
  const at = (month: string) => by.get(month) ?? []
  return months.map((month) => {
    const [now, before] = [at(month), at(monthsBefore(month, 12))]
    return {
      month,
      value: sumOf(now.map(({ value }) => value)),
      before: sumOf(before.map(({ value }) => value)),
      days: sumOf(now.map(({ days }) => days)),
      daysBefore: sumOf(before.map(({ days }) => days)),
    }
  })
}

/** Returns advice for the first service with unusual usage. Null if there is none. */
function hintOf(all: readonly UsageSeries[]) {
  for (const { service, uses } of all) {
    const unusual = unusualUse(uses)
    if (!unusual) continue
    const title = unusualTitle(unusual)
    return {
      title: say`${service}: ${title}`,
      text: say`Your daily usage is much higher than before. If guests, a garden or something similar does not explain the increase, look for a leak. Turn off all water and check the meter after an hour. If the meter moved, check the toilets first. If a toilet leaks, a few drops of food coloring in the tank will show up in the bowl. Then check faucets, hoses and the water heater, and call us.`,
    }
  }
  return null
}
