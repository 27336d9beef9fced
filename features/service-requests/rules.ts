/** Rules for requests that the server and the browser share. */
import { addDays, dateIn, instantAt, timeIn, weekday } from '../../shared/dates.ts'
import { caseStatus } from '../../shared/cases.ts'

/** Numbers of the states of a request (spec 4.4). A cancelled one is the portal's own state. */
export const requestStatus = { ...caseStatus, cancelled: 5 } as const
/** Requests that staff still work on. */
export const openRequests = [requestStatus.new, requestStatus.inProgress, requestStatus.reopened] as const

export const CATEGORY_REQUIRED = 'Choose what it is about.'

/** Maximum number of requests in a year. */
const NUMBERS = 10_000_000

/** Id of a company's request. The 123rd of 2026 has the id 20260000123. */
export const idOf = (year: number, no: number): number => year * NUMBERS + no

/** Displayed number, such as `R-2026-000123`. */
export const numberOf = (id: number): string => `R-${Math.floor(id / NUMBERS)}-${String(id % NUMBERS).padStart(6, '0')}`

/** Parses `R-2026-000123`, `r2026-123` or `2026 123` to an id. Null if the text is not a number of a request. */
export function idIn(text: string): number | null {
  const [, year, no] = /^r?[\s-]*(\d{4})[\s-]+0*(\d{1,7})$/i.exec(text.trim()) ?? []
  return year === undefined || no === undefined ? null : idOf(Number(year), Number(no))
}

/** Request settings of a company. */
export interface RequestSettings {
  /** True if guests may report in categories that allow it. */
  forGuests: boolean
  /** True if the company publishes requests on a map and list. */
  hasMap: boolean
  /** Days within which the requester can reopen a completed request. */
  reopenDays: number
  /** Working days of the office, from 1 (Monday) to 7 (Sunday). */
  workDays: number[]
  /** Additional days on which the office is closed. */
  holidays: { on: string; name: string }[]
}

/** Defaults for a company without saved settings. */
export const usualSettings: RequestSettings = {
  forGuests: true,
  hasMap: true,
  reopenDays: 30,
  workDays: [1, 2, 3, 4, 5],
  holidays: [],
}

/** Working days, holidays, time zone and closing time of the office. */
export interface WorkingTime extends Pick<RequestSettings, 'workDays' | 'holidays'> {
  timeZone: string
  /** Closing time of the office, as HH:mm. */
  closes: string
}

const DAYS_AHEAD = 3660

/**
 * Due date of a request: closing time on the `days`-th working day after its arrival. An arrival after closing time or
 * on a day off counts as the next working day.
 */
export function dueAt({ timeZone, closes, workDays, holidays }: WorkingTime, came: Date, days: number): Date {
  const closed = new Set(holidays.map(({ on }) => on))
  // Sunday is 0 in dates and 7 in settings.
  const works = (date: string) => workDays.includes(weekday(date) || 7) && !closed.has(date)
  let date = dateIn(timeZone, came)
  if (works(date) && timeIn(timeZone, came) >= closes) date = addDays(date, 1)
  const next = (from: string) => {
    let day = from
    for (let ahead = 0; !works(day) && ahead < DAYS_AHEAD; ahead += 1) day = addDays(day, 1)
    return day
  }
  date = next(date)
  for (let left = days; left > 0; left -= 1) date = next(addDays(date, 1))
  return instantAt(timeZone, date, closes)
}

/** Distance within which two requests of one category may be duplicates. */
export const NEAR_METRES = 120

/** Days covered by the public map and list. */
export const PUBLIC_DAYS = 90
