import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { accountYear } from '../contract.ts'
import { monthName, shortMonth, sumOf } from '../rules.ts'

export type Year = ResponseOf<typeof accountYear>
export type Months = Year['billed']

/** Calculates the same figures for the chart and the table of a year, so that both always agree. */
export function figuresOf(months: Months, format: (value: number) => string, days: (many: number) => string) {
  const [now, before] = [months.map(({ value }) => value), months.map((month) => month.before)]
  return {
    points: months.map(({ month }) => ({ label: shortMonth(month), name: monthName(month) })),
    now,
    before,
    rows: months.map((month) => ({
      name: monthName(month.month),
      cells: [format(month.value), days(month.days), format(month.before), days(month.daysBefore)],
    })),
    totals: [format(sumOf(now)), '', format(sumOf(before)), ''],
  }
}
