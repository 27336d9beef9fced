import { formatCents } from '../../../shared/money.ts'

/** Formats an amount for a chart axis, without cents if they are 0. */
export const dollarsAt = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

const months = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short' })

/** Formats `2026-11` as `Nov`, or in full as `Nov 2026`. */
export const shortMonth = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`))
export const fullMonth = (month: string): string => `${shortMonth(month)} ${month.slice(0, 4)}`
