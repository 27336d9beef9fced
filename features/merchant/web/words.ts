import { formatCents } from '../../../shared/money.ts'
import { percentOf } from '../rules.ts'

/** An amount at a line of a chart: without cents where it has none. */
export const dollarsAt = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

export const count = (number: number): string => number.toLocaleString('en-US')

/** A part of all as people read it: `1.25%`, and a dash of nothing. */
export function rate(part: number, all: number): string {
  const percent = percentOf(part, all)
  return percent === null ? '–' : `${percent.toFixed(2)}%`
}

/** The list of payments of some days, narrowed. */
export const paymentsOf = (days: { fromDate: string; toDate: string }, narrowed: Record<string, string> = {}): string =>
  `/municipality/reports/payments?${new URLSearchParams({ ...days, ...narrowed }).toString()}`
