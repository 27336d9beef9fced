import { addDays, daysBetween, weekday } from '../../shared/dates.ts'
import type { ReturnGroup } from '../payments/rules-declines.ts'
import { methodLabels } from '../payments/rules.ts'

export const OVERVIEW = '/municipality/reports/merchant-overview'
export const FORM_1099K = '/municipality/reports/form-1099k'
export const REPORTS = '/municipality/processor/reports'
export const ACCESSES = '/municipality/processor/reports/accesses'

/**
 * NACHA limits for returned eChecks, in percent of the debits within 60 days. Above a limit, a bank asks questions and
 * may end the service. `other` has no limit. The overall limit applies to all three groups together.
 */
export const returnLimits: Readonly<Record<Exclude<ReturnGroup, 'other'> | 'overall', number>> = {
  unauthorized: 0.5,
  administrative: 3,
  overall: 15,
}

/** Dispute rate in percent of card payments. At this rate, the card networks start to monitor a merchant. */
export const DISPUTE_LIMIT = 0.9

/** Payment method number for a card or eCheck payment that no payment provider processed. */
export const NO_PROVIDER = 0
export const merchantMethodLabels = { [NO_PROVIDER]: 'Card or eCheck (no payment provider)', ...methodLabels } as const

/**
 * Maximum length in days of a period with a bar for each day in its chart. A longer period has a bar for each month.
 */
const MAX_DAYS_BY_DAY = 62

/** Returns a share in percent with two decimals. Null if the total is 0. */
export const percentOf = (part: number, all: number): number | null =>
  all === 0 ? null : Math.round((part / all) * 10_000) / 100

/** Returns the period of the same length that ends right before this one. */
export const periodBefore = ({ fromDate, toDate }: Period): Period => ({
  fromDate: addDays(fromDate, -daysBetween(fromDate, toDate) - 1),
  toDate: addDays(fromDate, -1),
})

export interface Period {
  fromDate: string
  toDate: string
}

/** Returns whether a chart of the period has a bar for each day or each month. */
export const barsOf = ({ fromDate, toDate }: Period): 'day' | 'month' =>
  daysBetween(fromDate, toDate) < MAX_DAYS_BY_DAY ? 'day' : 'month'

/** Returns the first weekday after this day. Bank holidays are not considered. */
export function nextWorkingDay(day: string): string {
  const next = addDays(day, 1)
  return weekday(next) === 0 || weekday(next) === 6 ? nextWorkingDay(next) : next
}

export const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
export type Month = (typeof months)[number]

const longMonth = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long' })

/** Returns the name of a month. 0 is January. */
export const monthName = (n: number): string => longMonth.format(new Date(Date.UTC(2026, n, 1)))

/** Returns the box of Form 1099-K for a month. `5a` is January. */
export const boxOfMonth = (n: number): string => `5${'abcdefghijkl'[n] ?? ''}`

/**
 * Converts an amount from Form 1099-K, such as `12,345.6`, to cents. The contract limits the format. The conversion
 * joins the digits without floating-point arithmetic, so the result is exact.
 */
export function reportedCents(text: string): number {
  const [dollars = '', rest = ''] = text.replaceAll(/[$,\s]/g, '').split('.')
  return Number(`${dollars || '0'}${rest.padEnd(2, '0')}`)
}

/** Number of earlier years that the screen offers. */
export const YEARS_BACK = 6

/** Labels of the provider's reports, by the key that the access log stores. */
export const pageLabels = {
  payouts: 'Payouts',
  'payout-transactions': 'Payout transactions',
  payments: 'Card and eCheck payments',
  fees: 'Fees',
  refunds: 'Refunds and voids',
  returns: 'Returned eChecks',
  disputes: 'Disputes',
  declines: 'Declined payments',
  overview: 'Merchant overview',
  'form-1099k': 'Form 1099-K',
} as const
export type PageId = keyof typeof pageLabels
