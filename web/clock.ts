import { dateIn, formatInstant, formatShortDate, NO_DATE, perZone } from '../shared/dates.ts'
import { page } from './page.ts'

const formatOf = (parts: Intl.DateTimeFormatOptions) =>
  perZone((timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, ...parts }))

const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' }
const INSTANT: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric', ...TIME }
const times = formatOf(TIME)
const days = formatOf({ month: 'short', day: 'numeric' })
const months = formatOf({ month: 'short', year: 'numeric' })
/** Formats of screens of a company, and of screens that cover companies in several time zones. */
const formats = {
  company: { instants: formatOf(INSTANT), exactInstants: formatOf({ ...INSTANT, second: '2-digit' }) },
  all: {
    instants: formatOf({ ...INSTANT, timeZoneName: 'short' }),
    exactInstants: formatOf({ ...INSTANT, second: '2-digit', timeZoneName: 'short' }),
  },
}

const pageFormats = () => formats[page().company ? 'company' : 'all']

const written = (format: ReturnType<typeof formatOf>, instant: string): string =>
  instant === '' ? NO_DATE : format(page().timeZone).format(new Date(instant)).replaceAll('\u202f', ' ')

/**
 * Formats an instant as `Nov 20, 2026, 4:12 PM`. Administrators also see the time zone: `Nov 20, 2026, 4:12 PM EST`.
 */
export const shortInstant = (instant: string): string => written(pageFormats().instants, instant)

/**
 * Formats an instant for a row of a list: `3:15 PM` today, `Nov 24` this year, `Dec 2025` in an earlier year, and
 * `Jan 5, 2027` in a later year.
 */
export function briefInstant(instant: string): string {
  const { today } = page()
  const day = dayOf(instant)
  if (day === '' || day === today) return shortTime(instant)
  const [year, thisYear] = [day.slice(0, 4), today.slice(0, 4)]
  return year > thisYear ? formatShortDate(day) : written(year === thisYear ? days : months, instant)
}

/** Formats an instant like `shortInstant`, with seconds. */
export const exactInstant = (instant: string): string => written(pageFormats().exactInstants, instant)

/** Formats an instant as `November 20, 2026, 4:12 PM`. */
export const longInstant = (instant: string): string => formatInstant(instant, page().timeZone)

/** Formats the time of an instant as `4:12 PM`. */
export const shortTime = (instant: string): string => written(times, instant)

/** Returns the local day of an instant, as YYYY-MM-DD. */
export const dayOf = (instant: string): string => (instant === '' ? '' : dateIn(page().timeZone, new Date(instant)))

/** Formats the day of an instant as `Nov 20, 2026`. */
export const shortDay = (instant: string): string => formatShortDate(dayOf(instant))
