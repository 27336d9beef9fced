import { formatCents } from '../../../shared/money.ts'

/** An amount at a line of a chart: without cents where it has none. */
export const dollarsAt = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

const months = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short' })

/** `2026-11` reads `Nov`, and in full `Nov 2026`. */
export const shortMonth = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`))
export const fullMonth = (month: string): string => `${shortMonth(month)} ${month.slice(0, 4)}`
