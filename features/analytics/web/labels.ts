import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { ChartPoint } from '../../../web/ui/office/chart/BarChart.tsx'

const shortMonth = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short' })

export function pointLabels(point: string): ChartPoint {
  if (point.length === 10) {
    const name = formatShortDate(point)
    return { label: name.replace(/, \d+$/, ''), name }
  }
  const label = shortMonth.format(new Date(`${point}-01T00:00:00Z`))
  return { label, name: `${label} ${point.slice(0, 4)}` }
}

export const plain = (count: number): string => count.toLocaleString('en-US')

/** Formats an amount for a chart axis, without cents if they are zero. */
export const dollarsAt = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

/** Returns the change in percent, without a sign. Null if the earlier value is zero. */
export const percentOf = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round((Math.abs(now - before) / before) * 100)
