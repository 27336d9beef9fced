/**
 * Banking days: the days on which the Federal Reserve settles payments, Monday to Friday except holidays. Days are
 * YYYY-MM-DD.
 */

const DAY_MS = 86_400_000
const MONDAY = 1
const THURSDAY = 4

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)
const text = (date: Date): string => date.toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string => text(new Date(utc(day).getTime() + days * DAY_MS))

/**
 * Returns the date of a weekday in a month. `which` is its occurrence, counted from 1. With -1, returns the last
 * occurrence.
 */
function weekdayOf(year: number, month: number, weekday: number, which: number): string {
  if (which < 0) {
    const last = new Date(Date.UTC(year, month, 0))
    return text(new Date(last.getTime() - ((last.getUTCDay() - weekday + 7) % 7) * DAY_MS))
  }
  const first = new Date(Date.UTC(year, month - 1, 1))
  return text(new Date(first.getTime() + (((weekday - first.getUTCDay() + 7) % 7) + (which - 1) * 7) * DAY_MS))
}

/**
 * Returns the observed day of a fixed-date holiday. A Sunday holiday moves to Monday. If the holiday is on a Saturday,
 * banks are open on the Friday before.
 */
function fixed(year: number, monthDay: string): string {
  const day = `${year}-${monthDay}`
  return utc(day).getUTCDay() === 0 ? addDays(day, 1) : day
}

export function federalReserveHolidays(year: number): string[] {
  return [
    fixed(year, '01-01'),
    weekdayOf(year, 1, MONDAY, 3),
    weekdayOf(year, 2, MONDAY, 3),
    weekdayOf(year, 5, MONDAY, -1),
    fixed(year, '06-19'),
    fixed(year, '07-04'),
    weekdayOf(year, 9, MONDAY, 1),
    weekdayOf(year, 10, MONDAY, 2),
    fixed(year, '11-11'),
    weekdayOf(year, 11, THURSDAY, 4),
    fixed(year, '12-25'),
  ]
}

export function isBankingDay(day: string): boolean {
  const weekday = utc(day).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !federalReserveHolidays(Number(day.slice(0, 4))).includes(day)
}

/**
 * Returns the banking day that is `many` banking days after `day`. If `many` is 0, returns `day` itself or the next
 * banking day.
 */
export function bankingDayAfter(day: string, many: number): string {
  let at = day
  while (!isBankingDay(at)) at = addDays(at, 1)
  for (let left = many; left > 0;) {
    at = addDays(at, 1)
    if (isBankingDay(at)) left--
  }
  return at
}

/** Counts the banking days between two days, including the second one. */
export function bankingDaysBetween(from: string, to: string): number {
  let days = 0
  for (let at = addDays(from, 1); at <= to; at = addDays(at, 1)) if (isBankingDay(at)) days++
  return days
}

/** Returns the day and time (HH:MM) in a time zone. */
export function localTime(at: Date, zone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` }
}
