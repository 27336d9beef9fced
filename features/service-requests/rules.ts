/** The rules of residents' requests that both sides use. */
import { addDays, dateIn, instantAt, timeIn, weekday } from '../../shared/dates.ts'

export const CATEGORY_REQUIRED = 'Choose what it is about.'

/** So many numbers there are in a year. */
const NUMBERS = 10_000_000

/** A town's request of a year as its id: the 123rd of 2026 is 20260000123. */
export const idOf = (year: number, no: number): number => year * NUMBERS + no

/** How people speak of a request: `R-2026-000123`. */
export const numberOf = (id: number): string => `R-${Math.floor(id / NUMBERS)}-${String(id % NUMBERS).padStart(6, '0')}`

/** The id in `R-2026-000123`, `r2026-123` or `2026 123`; null where the text is none of these. */
export function idIn(text: string): number | null {
  const [, year, no] = /^r?[\s-]*(\d{4})[\s-]+0*(\d{1,7})$/i.exec(text.trim()) ?? []
  return year === undefined || no === undefined ? null : idOf(Number(year), Number(no))
}

/** How a town deals with requests. */
export interface RequestSettings {
  /** Residents report without an account, where the category allows it. */
  forGuests: boolean
  /** What was reported stands on a public map and list. */
  hasMap: boolean
  /** So many days whoever asked can open again what is completed. */
  reopenDays: number
  /** On which days of the week the office works: 1 Monday to 7 Sunday. */
  workDays: number[]
  /** Days on which it is closed besides. */
  holidays: { on: string; name: string }[]
}

/** Of a town that set nothing. */
export const usualSettings: RequestSettings = {
  forGuests: true,
  hasMap: true,
  reopenDays: 30,
  workDays: [1, 2, 3, 4, 5],
  holidays: [],
}

/** When the office works: the town's clocks, its days and holidays. */
export interface WorkingTime extends Pick<RequestSettings, 'workDays' | 'holidays'> {
  timeZone: string
  /** When the office closes: HH:mm. */
  closes: string
}

const DAYS_AHEAD = 3660

/**
 * By when a request should be done: at closing time of the so-manieth working day after it came. What comes after the office
 * closed, or on a day off, counts as if it came on the next working day.
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

/** So near to each other, two requests of one category may be the same. */
export const NEAR_METRES = 120

/** The public map and list go back so many days. */
export const PUBLIC_DAYS = 90
