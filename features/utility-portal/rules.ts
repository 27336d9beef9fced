import { daysBetween } from '../../shared/dates.ts'
import { say } from '../../shared/messages.ts'

/** Path of the screen for sharing an account and for viewing shared accounts. */
export const SHARING = '/utility-portal/sharing'
/**
 * Maximum number of accounts that a person can link, because more would slow down the list. Larger landlords need help
 * from staff.
 */
export const MAX_LINKED = 60
export const accountPath = (account: number): string => `/utility-portal/accounts/${account}`
export const billPath = (account: number, number: string): string =>
  `${accountPath(account)}/bills/${encodeURIComponent(number)}`

/**
 * Returns a path that prefills the account number and the link code. The code is in the fragment, so that no server
 * logs it.
 */
export const linkPath = (number: string, code: string): string =>
  `/utility-portal?account=${encodeURIComponent(number)}#code=${code}`

/**
 * Kinds of usage data. The first three are kinds of meter readings. For `billed`, the usage is known only from the
 * bill.
 */
export const usageKinds = ['actual', 'estimated', 'corrected', 'billed'] as const
export type UsageKind = (typeof usageKinds)[number]

/** Usage in one billing period. `until` is the last day of the period. */
export interface UsagePeriod {
  until: string
  days: number
  used: number
  reading: number | null
  kind: UsageKind
}

/** Usage of one service over time, oldest first. */
export interface UsageSeries {
  service: string
  unit: string
  source: 'reads' | 'bills'
  uses: UsagePeriod[]
}

/** Counts the days of a period, including the first and the last day. */
export const daysOf = ({ period_start, period_end }: { period_start: string; period_end: string }): number =>
  daysBetween(period_start, period_end) + 1

export const perDay = ({ used, days }: Pick<UsagePeriod, 'used' | 'days'>): number => (days > 0 ? used / days : 0)

const quantities = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** Formats a quantity with at most three decimals, such as `6.5` or `1,204`. */
export const formatQuantity = (quantity: number): string => quantities.format(quantity)

/** Sums quantities without floating-point errors. */
export const sumOf = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) * 1000) / 1000

const months = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const shortMonths = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short' })

/** Formats `2026-11` as `November 2026`. */
export const monthName = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`))

/** Formats `2026-11` as `Nov`. */
export const shortMonth = (month: string): string => shortMonths.format(new Date(`${month}-01T00:00:00Z`))

/** Returns the month that is `many` months earlier: `monthsBefore('2026-01', 2)` is `2025-11`. */
export function monthsBefore(month: string, many: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 - many
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** Lists the twelve months that end with the month of a day, oldest first. */
export const yearUpTo = (today: string): string[] =>
  Array.from({ length: 12 }, (_, n) => monthsBefore(today.slice(0, 7), 11 - n))

const YEAR = 365
/** Tolerance in days for finding the same period of the previous year. Billing days shift from year to year. */
const ABOUT = 20
/** Minimum increase in daily usage that counts as unusual, as a factor. */
const UNUSUAL = 1.8
/** Minimum number of earlier periods for detecting unusual usage if data from the previous year is missing. */
const MIN_USES = 3

/** Finds the usage of about the same period one year earlier. */
export const yearBefore = (uses: readonly UsagePeriod[], of: UsagePeriod): UsagePeriod | undefined =>
  uses.find(({ until }) => Math.abs(daysBetween(until, of.until) - YEAR) <= ABOUT)

export interface UnusualUsage {
  /** Latest daily usage divided by the earlier daily usage. */
  times: number
  /**
   * Month that the usage is compared with, such as '2025-11'. Null if it is compared with the account's normal usage.
   */
  month: string | null
}

/**
 * Returns the increase in the latest daily usage, or null if the increase is not unusual. Compares the usage with the
 * same period of the previous year. Without such data, compares it with the median of earlier periods. Expects the
 * oldest period first.
 */
export function unusualUse(uses: readonly UsagePeriod[]): UnusualUsage | null {
  const newest = uses.at(-1)
  if (!newest) return null
  const before = yearBefore(uses, newest)
  const earlier = uses
    .slice(0, -1)
    .map(perDay)
    .toSorted((a, b) => a - b)
  const usual = before ? perDay(before) : earlier.length < MIN_USES ? 0 : (earlier[earlier.length >> 1] ?? 0)
  const times = usual > 0 ? perDay(newest) / usual : 0
  return times >= UNUSUAL ? { times, month: before ? before.until.slice(0, 7) : null } : null
}

/** Formats a title such as `Twice your November 2025` or `2.6 times your normal usage`. */
export function unusualTitle({ times, month }: UnusualUsage): string {
  const isTwice = times > 1.9 && times < 2.15
  const many = formatQuantity(Math.round(times * 10) / 10)
  if (month === null) return isTwice ? say`Twice your normal usage` : say`${many} times your normal usage`
  const name = monthName(month)
  return isTwice ? say`Twice your ${name} usage` : say`${many} times your ${name} usage`
}

/**
 * Usage alert settings: a limit for the usage between two readings, and a period of absence in which any usage triggers
 * an alert.
 */
export interface Watch {
  usage_limit: number | null
  away_from: string | null
  away_until: string | null
}

/** Returns the reason for a usage alert. Null if no alert is due. `from` is the first day of the usage. */
export function usageAlertReason(
  { usage_limit, away_from, away_until }: Watch,
  { used, from, until }: { used: number; from: string; until: string },
): 'limit' | 'away' | null {
  const whileAway = away_from !== null && away_until !== null && from >= away_from && until <= away_until
  if (whileAway && used > 0) return 'away'
  return usage_limit !== null && used > usage_limit ? 'limit' : null
}
