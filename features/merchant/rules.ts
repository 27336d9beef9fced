import { addDays, daysBetween, weekday } from '../../shared/dates.ts'
import type { ReturnGroup } from '../payments/report.ts'
import { methodLabels } from '../payments/rules.ts'

/** The paths of this feature's screens. */
export const OVERVIEW = '/municipality/reports/merchant-overview'
export const FORM_1099K = '/municipality/reports/form-1099k'
export const REPORTS = '/municipality/processor/reports'
export const ACCESSES = '/municipality/processor/reports/accesses'

/**
 * NACHA's limits of returned eChecks, as parts of a hundred of all that were debited within 60 days: what a bank asks about, and may
 * refuse to go on with. `other` has no limit of its own; the overall one counts all three.
 */
export const returnLimits: Readonly<Record<Exclude<ReturnGroup, 'other'> | 'overall', number>> = {
  unauthorized: 0.5,
  administrative: 3,
  overall: 15,
}

/** From this part of card payments on the card networks watch a merchant for its disputes, in percent. */
export const DISPUTE_LIMIT = 0.9

/** Stands for the method of a card or eCheck that the town took without a payment provider. */
export const NO_PROVIDER = 0
export const merchantMethodLabels = { [NO_PROVIDER]: 'Card or eCheck without a provider', ...methodLabels } as const

/** So many days by the day are drawn as bars of a day, more as bars of a month. */
const MAX_DAYS_BY_DAY = 62

/** A part of all, in percent with two digits; null of nothing. */
export const percentOf = (part: number, all: number): number | null =>
  all === 0 ? null : Math.round((part / all) * 10_000) / 100

/** As many days right before a period. */
export const periodBefore = ({ fromDate, toDate }: Period): Period => ({
  fromDate: addDays(fromDate, -daysBetween(fromDate, toDate) - 1),
  toDate: addDays(fromDate, -1),
})

export interface Period {
  fromDate: string
  toDate: string
}

/** Whether a chart of the period has a bar for each day or for each month. */
export const barsOf = ({ fromDate, toDate }: Period): 'day' | 'month' =>
  daysBetween(fromDate, toDate) < MAX_DAYS_BY_DAY ? 'day' : 'month'

/** The first day after this one on which banks work; holidays are not known. */
export function nextWorkingDay(day: string): string {
  const next = addDays(day, 1)
  return weekday(next) === 0 || weekday(next) === 6 ? nextWorkingDay(next) : next
}

export const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
export type Month = (typeof months)[number]

const longMonth = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long' })

/** 0 reads `January`. */
export const monthName = (n: number): string => longMonth.format(new Date(Date.UTC(2026, n, 1)))

/** The box of a month: `5a` is January. */
export const boxOfMonth = (n: number): string => `5${'abcdefghijkl'[n] ?? ''}`

/** An amount of the paper, such as `12,345.6`, in cents; the contract says what it may look like. Made of digits, so it is exact. */
export function centsOnPaper(text: string): number {
  const [dollars = '', rest = ''] = text.replaceAll(/[$,\s]/g, '').split('.')
  return Number(`${dollars || '0'}${rest.padEnd(2, '0')}`)
}

/** So many years before this one are offered. */
export const YEARS_BACK = 6

/** The provider's reports that there are, by what is written down when one is opened. */
export const pageLabels = {
  payouts: 'Payouts',
  'payout-transactions': 'Transactions of a payout',
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
