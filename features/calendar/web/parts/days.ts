import { addDays, dateIn, daysBetween, firstOfMonth, weekday } from '../../../../shared/dates.ts'
import { say } from '../../../../shared/messages.ts'
import { WINDOW_DAYS } from '../../rules.ts'

/** Column headings of the grid (spec 9.1). */
export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

export interface TimedItem {
  /** Start and end in UTC. */
  calendar_date: string
  end_datetime: string
}

/** Returns the Sunday on or before a day, where the grid starts. */
export const gridStart = (day: string): string => addDays(day, -weekday(day))

/**
 * Returns the first visible day: the Sunday on or before the day in the URL. If the URL has no valid day, uses today.
 */
export function startFrom(requestedDay: string | null, today: string): string {
  const real =
    requestedDay !== null && /^\d{4}-\d{2}-\d{2}$/.test(requestedDay) && !Number.isNaN(Date.parse(requestedDay))
  return gridStart(real ? addDays(requestedDay, 0) : today)
}

export const daysFrom = (first: string): string[] => Array.from({ length: WINDOW_DAYS }, (_, i) => addDays(first, i))

const parts = (day: string) => {
  const at = new Date(`${day}T00:00:00Z`)
  const month = at.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return { month, day: at.getUTCDate(), year: at.getUTCFullYear() }
}

/**
 * Formats a range such as 'Nov 15 - 28, 2026'. Includes both months or both years if the range spans two (spec 2.11).
 */
export function rangeTitle(first: string, last: string): string {
  const [a, b] = [parts(first), parts(last)]
  if (a.year !== b.year) return `${a.month} ${a.day}, ${a.year} - ${b.month} ${b.day}, ${b.year}`
  if (a.month !== b.month) return `${a.month} ${a.day} - ${b.month} ${b.day}, ${b.year}`
  return `${a.month} ${a.day} - ${b.day}, ${b.year}`
}

/**
 * Returns the first and last day of an item in the company's time zone. If an item ends at midnight, the next day is
 * not included.
 */
export function daysOf({ calendar_date, end_datetime }: TimedItem, timeZone: string): [string, string] {
  const [start, end] = [Date.parse(calendar_date), Date.parse(end_datetime)]
  return [dateIn(timeZone, new Date(start)), dateIn(timeZone, new Date(Math.max(start, end - 1)))]
}

/** Groups items by day, in the order of their start. An item that lasts several days appears on each of them. */
export function byDay<Item extends TimedItem>(
  items: readonly Item[],
  days: readonly string[],
  timeZone: string,
): Map<string, Item[]> {
  const itemsByDay = new Map<string, Item[]>(days.map((day) => [day, []]))
  for (const item of items.toSorted((a, b) => Date.parse(a.calendar_date) - Date.parse(b.calendar_date))) {
    const [first, last] = daysOf(item, timeZone)
    for (const day of days) if (day >= first && day <= last) itemsByDay.get(day)?.push(item)
  }
  return itemsByDay
}

const clock = (instant: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
    .format(new Date(instant))
    .replaceAll('\u202f', ' ')

const shortDay = (day: string) => {
  const { month, day: number } = parts(day)
  return `${month} ${number}`
}

/** True if an item lasts whole days, from midnight to midnight. */
const wholeDays = (item: TimedItem, timeZone: string) =>
  clock(item.calendar_date, timeZone) === '12:00 AM' &&
  /^(?:12:00 AM|11:59 PM)$/.test(clock(item.end_datetime, timeZone)) &&
  item.calendar_date !== item.end_datetime

/** Returns '9:00 AM - 11:30 AM' or 'All day'. If an item lasts several days, includes the days. */
export function timeRange(item: TimedItem, timeZone: string): string {
  const [first, last] = daysOf(item, timeZone)
  if (wholeDays(item, timeZone)) return first === last ? say`All day` : `${shortDay(first)} - ${shortDay(last)}`
  const [from, to] = [clock(item.calendar_date, timeZone), clock(item.end_datetime, timeZone)]
  if (first !== last) return `${shortDay(first)}, ${from} - ${shortDay(last)}, ${to}`
  return from === to ? from : `${from} - ${to}`
}

/**
 * Returns the start time of an item for a day of the grid, such as '9:00 AM'. On a later day, returns the end time or
 * 'All day'.
 */
export function startOn(item: TimedItem, day: string, timeZone: string): string {
  const [first, last] = daysOf(item, timeZone)
  if (wholeDays(item, timeZone)) return say`All day`
  if (day === first) return clock(item.calendar_date, timeZone)
  return day === last ? say`Ends ${clock(item.end_datetime, timeZone)}` : say`All day`
}

/** Formats a day as 'Sunday, November 15'. */
export const longDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })

/** Formats a day as 'Fri, Nov 20'. */
export const mediumDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleString('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })

/** Returns the first day of the month in the URL. If the URL has no valid day, returns the first day of this month. */
export function monthFrom(requestedDay: string | null, today: string): string {
  const real =
    requestedDay !== null && /^\d{4}-\d{2}-\d{2}$/.test(requestedDay) && !Number.isNaN(Date.parse(requestedDay))
  return firstOfMonth(real ? addDays(requestedDay, 0) : today)
}

/** Adds a number of months to the first day of a month. */
export function addMonths(first: string, months: number): string {
  const at = new Date(`${first}T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + months)
  return at.toISOString().slice(0, 10)
}

/** Returns the days of a month in whole weeks, from the Sunday on or before its first day: 28 to 42 days. */
export function monthDays(first: string): string[] {
  const start = gridStart(first)
  const last = addDays(addMonths(first, 1), -1)
  const weeks = Math.ceil((daysBetween(start, last) + 1) / 7)
  return Array.from({ length: weeks * 7 }, (_, i) => addDays(start, i))
}

/** Returns the abbreviation of the time zone at an instant, such as 'EST'. */
export const zoneName = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/**
 * Returns the start time in the item's own time zone, such as '9:00 AM EST'. For an item that lasts all day, returns
 * 'All day'.
 */
export function startThere(item: TimedItem & { timeZone: string }): string {
  const start = startOn(item, daysOf(item, item.timeZone)[0], item.timeZone)
  return start === 'All day' ? start : `${start} ${zoneName(item.calendar_date, item.timeZone)}`
}
