import { dateIn, formatInstant, formatShortDate, NO_DATE } from '../shared/dates.ts'
import { boot } from './boot.ts'

/**
 * Time zone of the screens. Screens of a company use the company's time zone, wherever the browser is. The
 * administrator portal covers many companies, so it uses the browser's time zone and shows it with each time.
 */
export const timeZone: string = boot.company?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

const parts: Intl.DateTimeFormatOptions = {
  timeZone,
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  ...(!boot.company && { timeZoneName: 'short' }),
}
const instants = new Intl.DateTimeFormat('en-US', parts)
const exactInstants = new Intl.DateTimeFormat('en-US', { ...parts, second: '2-digit' })
const times = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })

const written = (format: Intl.DateTimeFormat, instant: string): string =>
  instant === '' ? NO_DATE : format.format(new Date(instant)).replaceAll('\u202f', ' ')

/**
 * Formats an instant as `Nov 20, 2026, 4:12 PM`. Administrators also see the time zone: `Nov 20, 2026, 4:12 PM EST`.
 */
export const shortInstant = (instant: string): string => written(instants, instant)

/** Formats an instant like `shortInstant`, with seconds. */
export const exactInstant = (instant: string): string => written(exactInstants, instant)

/** Formats an instant as `November 20, 2026, 4:12 PM`. */
export const longInstant = (instant: string): string => formatInstant(instant, timeZone)

/** Formats the time of an instant as `4:12 PM`. */
export const shortTime = (instant: string): string => written(times, instant)

/** Returns the local day of an instant, as YYYY-MM-DD. */
export const dayOf = (instant: string): string => (instant === '' ? '' : dateIn(timeZone, new Date(instant)))

/** Formats the day of an instant as `Nov 20, 2026`. */
export const shortDay = (instant: string): string => formatShortDate(dayOf(instant))
