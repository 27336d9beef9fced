import { dateIn, formatInstant, formatShortDate, NO_DATE } from '../shared/dates.ts'
import { page } from './page.ts'

/** Creates the formats of a time zone. Formats are expensive, so each zone has them once. */
function formatsOf(timeZone: string, withZone: boolean) {
  const parts: Intl.DateTimeFormatOptions = {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(withZone && { timeZoneName: 'short' }),
  }
  return {
    instants: new Intl.DateTimeFormat('en-US', parts),
    exactInstants: new Intl.DateTimeFormat('en-US', { ...parts, second: '2-digit' }),
    times: new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }),
  }
}

const made = new Map<string, ReturnType<typeof formatsOf>>()

function pageFormats(): ReturnType<typeof formatsOf> {
  const { company, timeZone } = page()
  const key = `${timeZone} ${company === null}`
  const formats = made.get(key) ?? formatsOf(timeZone, company === null)
  made.set(key, formats)
  return formats
}

const written = (format: Intl.DateTimeFormat, instant: string): string =>
  instant === '' ? NO_DATE : format.format(new Date(instant)).replaceAll('\u202f', ' ')

/**
 * Formats an instant as `Nov 20, 2026, 4:12 PM`. Administrators also see the time zone: `Nov 20, 2026, 4:12 PM EST`.
 */
export const shortInstant = (instant: string): string => written(pageFormats().instants, instant)

/** Formats an instant like `shortInstant`, with seconds. */
export const exactInstant = (instant: string): string => written(pageFormats().exactInstants, instant)

/** Formats an instant as `November 20, 2026, 4:12 PM`. */
export const longInstant = (instant: string): string => formatInstant(instant, page().timeZone)

/** Formats the time of an instant as `4:12 PM`. */
export const shortTime = (instant: string): string => written(pageFormats().times, instant)

/** Returns the local day of an instant, as YYYY-MM-DD. */
export const dayOf = (instant: string): string => (instant === '' ? '' : dateIn(page().timeZone, new Date(instant)))

/** Formats the day of an instant as `Nov 20, 2026`. */
export const shortDay = (instant: string): string => formatShortDate(dayOf(instant))
