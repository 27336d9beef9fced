import { daysBetween } from '../../shared/dates.ts'
import { say } from '../../shared/words.ts'

/** Where one shares what stands in an account, and sees what others share. */
export const SHARING = '/utility-portal/sharing'
export const accountPath = (account: number): string => `/utility-portal/accounts/${account}`
export const billPath = (account: number, number: string): string =>
  `${accountPath(account)}/bills/${encodeURIComponent(number)}`

/** Where an account is linked, with its number and a code filled in. The code stands where no server's log has it. */
export const linkPath = (number: string, code: string): string =>
  `/utility-portal?account=${encodeURIComponent(number)}#code=${code}`

/** How a use is known: from readings of a meter, or billed by the bill alone. */
export const readKinds = ['actual', 'estimated', 'corrected', 'billed'] as const
export type ReadKind = (typeof readKinds)[number]

/** What was used in some days; `until` is the last of them. */
export interface Use {
  until: string
  days: number
  used: number
  reading: number | null
  kind: ReadKind
}

/** What an account uses of one thing, the oldest first. */
export interface Uses {
  service: string
  unit: string
  source: 'reads' | 'bills'
  uses: Use[]
}

/** A period's first and last day count both. */
export const daysOf = ({ period_start, period_end }: { period_start: string; period_end: string }): number =>
  daysBetween(period_start, period_end) + 1

export const perDay = ({ used, days }: Pick<Use, 'used' | 'days'>): number => (days > 0 ? used / days : 0)

const quantities = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** `6.5` and `1,204`: at most three decimals, so that sums of decimals read as people write them. */
export const formatQuantity = (quantity: number): string => quantities.format(quantity)

/** Sums of quantities, without the dust of binary fractions. */
export const sumOf = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) * 1000) / 1000

const months = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const shortMonths = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short' })

/** `2026-11` reads `November 2026`. */
export const monthName = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`))

/** `2026-11` reads `Nov`. */
export const shortMonth = (month: string): string => shortMonths.format(new Date(`${month}-01T00:00:00Z`))

/** Some months before one: `monthsBefore('2026-01', 2)` is `2025-11`. */
export function monthsBefore(month: string, many: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 - many
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** The twelve months that end with that of a day, the oldest first. */
export const yearUpTo = (today: string): string[] =>
  Array.from({ length: 12 }, (_, n) => monthsBefore(today.slice(0, 7), 11 - n))

const YEAR = 365
/** Billing days shift by a few days from year to year. */
const ABOUT = 20
/** From so many times as much on, somebody should look. */
const UNUSUAL = 1.8
/** A leak is seen against this many earlier uses, where nothing is known of a year before. */
const MIN_USES = 3

/** The use of about the same days a year before. */
export const yearBefore = (uses: readonly Use[], of: Use): Use | undefined =>
  uses.find(({ until }) => Math.abs(daysBetween(until, of.until) - YEAR) <= ABOUT)

export interface UnusualUsage {
  /** How many times as much for each day as then. */
  times: number
  /** The month, as in '2025-11', with which it is compared; null: with what is usual. */
  month: string | null
}

/** Whether the newest use stands out: against the same days a year before, else against what is usual. Oldest first. */
export function unusualUse(uses: readonly Use[]): UnusualUsage | null {
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

/** `Twice your November 2025`, `2.6 times what is usual for you`. */
export function unusualTitle({ times, month }: UnusualUsage): string {
  const isTwice = times > 1.9 && times < 2.15
  const many = formatQuantity(Math.round(times * 10) / 10)
  if (month === null) return isTwice ? say`Twice what is usual for you` : say`${many} times what is usual for you`
  const name = monthName(month)
  return isTwice ? say`Twice your ${name}` : say`${many} times your ${name}`
}

/** Of what somebody wants to be told: too much between two readings, or any use while they are away. */
export interface Watch {
  usage_limit: number | null
  away_from: string | null
  away_until: string | null
}

/** Why somebody is told of a use; null where it is as it should be. `from` is its first day. */
export function worthTelling(
  { usage_limit, away_from, away_until }: Watch,
  { used, from, until }: { used: number; from: string; until: string },
): 'limit' | 'away' | null {
  const whileAway = away_from !== null && away_until !== null && from >= away_from && until <= away_until
  if (whileAway && used > 0) return 'away'
  return usage_limit !== null && used > usage_limit ? 'limit' : null
}
