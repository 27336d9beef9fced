/**
 * In calls, dates are YYYY-MM-DD, times are HH:mm in 24-hour format, and instants are ISO 8601 in UTC (product rules,
 * section 8).
 */

/** Returns the day of an instant in UTC, as YYYY-MM-DD. */
export const toIso = (date: Date) => date.toISOString().slice(0, 10)

/** Caches one formatter for each time zone, because creating a formatter takes longer than a query. */
export function perZone(make: (timeZone: string) => Intl.DateTimeFormat): (timeZone: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const cached = made.get(timeZone) ?? make(timeZone)
    made.set(timeZone, cached)
    return cached
  }
}

const dayOf = perZone(
  (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)
const partsOf = perZone(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
)

/** Returns the time zone of the browser or the server. */
export const systemTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns today's date in a time zone such as `America/New_York`, as YYYY-MM-DD. */
export const dateIn = (timeZone: string, at: Date): string => dayOf(timeZone).format(at)

/** Adds days to a date: `addDays('2026-11-30', 1)` is `2026-12-01`. */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return toIso(at)
}

/** Adds months to a date. If that day does not exist, returns the last day of the month. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  return toIso(new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(day, last.getUTCDate()))))
}

export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** Returns the day of the week, 0 for Sunday. */
export const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** Returns the instant of midnight on a date in a time zone. Correct even on days with a clock change. */
export function midnightIn(timeZone: string, date: string): Date {
  const guess = Date.parse(`${date}T00:00:00Z`)
  const first = guess - offsetAt(timeZone, new Date(guess))
  return new Date(guess - offsetAt(timeZone, new Date(first)))
}

/** Returns the local time of an instant in a time zone, as HH:mm. */
export function timeIn(timeZone: string, at: Date): string {
  const parts = partsOf(timeZone).formatToParts(at)
  const get = (type: string) => parts.find((part) => part.type === type)?.value.padStart(2, '0') ?? ''
  return `${get('hour')}:${get('minute')}`
}

/** Returns a time zone's offset from UTC at an instant, in milliseconds. */
function offsetAt(timeZone: string, at: Date): number {
  const parts = partsOf(timeZone).formatToParts(at)
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const wall = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'))
  return wall - Math.floor(at.getTime() / 1000) * 1000
}

const MINUTE = 60_000
/** Converts a time of day such as `09:30` to minutes. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
/** Converts minutes of the day to a time: 570 is `09:30`, and 1440 is `24:00`. */
export const timeAt = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Converts a date and a local time to an instant, even on days with a clock change. */
export function instantAt(timeZone: string, date: string, time: string): Date {
  const guess = new Date(midnightIn(timeZone, date).getTime() + minutesOf(time) * MINUTE)
  // On a day with a clock change, the guess may fall on the next day. Its error is always less than half a day, so the
  // code can correct it.
  const offset = minutesOf(time) - minutesOf(timeIn(timeZone, guess))
  return new Date(guess.getTime() + (((offset + 2160) % 1440) - 720) * MINUTE)
}

const month = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
/** Formats the month of a date, such as 'November 2026'. */
export const formatMonth = (date: string): string => month.format(new Date(`${date}T00:00:00Z`))

const longDate = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', day: 'numeric', year: 'numeric' })
const shortDate = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' })

/** Shown instead of a missing date, so that a missing date never breaks a page. */
export const NO_DATE = '–'

/** Formats `2026-11-21` as `November 21, 2026`. */
export const formatDate = (date: string): string =>
  date === '' ? NO_DATE : longDate.format(new Date(`${date}T00:00:00Z`))

/** Formats `2026-11-21` as `Nov 21, 2026`. */
export const formatShortDate = (date: string): string =>
  date === '' ? NO_DATE : shortDate.format(new Date(`${date}T00:00:00Z`))

const timeOfDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' })

/** Formats `14:00` as `2:00 PM`. */
export const formatTime = (time: string): string =>
  time === '' ? NO_DATE : timeOfDay.format(new Date(`1970-01-01T${time}Z`)).replaceAll('\u202f', ' ')

/** Formats an instant in the company's time zone: `November 20, 2026, 4:12 PM`. */
export const formatInstant = (instant: string | Date, timeZone: string): string =>
  instant === ''
    ? NO_DATE
    : new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' })
        .format(new Date(instant))
        .replace(' at ', ', ')
        .replaceAll('\u202f', ' ')

/** True if a YYYY-MM-DD date exists: February 30 does not. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && toIso(day) === text
}

/**
 * Reads a date from a file, `2027-03-31`, `20270331`, `3/31/2027` or `3-31-27`, and returns YYYY-MM-DD. Null if the
 * text is not a date or its year is implausible.
 */
export function readDay(text: string, years = /^20/): string | null {
  const {
    month = '',
    date = '',
    year = '',
  } = /^(?<month>\d{1,2})(?<mark>[/-])(?<date>\d{1,2})\k<mark>(?<year>\d{2}|\d{4})$/.exec(text)?.groups ?? {}
  const iso =
    year === ''
      ? text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
      : `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return /^\d{4}-\d\d-\d\d$/.test(iso) && years.test(iso) && isDay(iso) ? iso : null
}

/** Formats `13:30` as `1:30 PM`. `24:00` is midnight. */
export const clockText = (time: string): string => {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3)} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}
