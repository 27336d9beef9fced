import { formatCents } from '../../../shared/money.ts'
import { percentOf } from '../rules.ts'

/** Formats an amount for a chart axis, without cents if they are 0. */
export const dollarsAt = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

export const count = (number: number): string => number.toLocaleString('en-US')

/** Formats a share, for example `1.25%`. Returns a dash if the total is 0. */
export function rate(part: number, all: number): string {
  const percent = percentOf(part, all)
  return percent === null ? '–' : `${percent.toFixed(2)}%`
}

/** Returns the path of the payment list for these days and filters. */
export const paymentsOf = (days: { fromDate: string; toDate: string }, narrowed: Record<string, string> = {}): string =>
  `/municipality/reports/payments?${new URLSearchParams({ ...days, ...narrowed }).toString()}`
