import { addDays, dateIn, instantAt, timeIn, weekday } from './dates.ts'

/** Working days and holidays of a company's office. */
export interface OfficeDays {
  /** Working days, from 1 (Monday) to 7 (Sunday). */
  workDays: number[]
  /** Holidays, on which the office is also closed. */
  holidays: { on: string; name: string }[]
}

/** Default working days and holidays, for an office that has never set its own. */
export const USUAL_OFFICE_DAYS: OfficeDays = { workDays: [1, 2, 3, 4, 5], holidays: [] }

/** Office days with the time zone and the closing time. */
export interface WorkingTime extends OfficeDays {
  timeZone: string
  /** Closing time of the office, as HH:mm. */
  closes: string
}

/**
 * Maximum number of days to search ahead for a working day, so that the search also ends for an office without working
 * days.
 */
const DAYS_AHEAD = 3660

/** Returns a function that is true for the days on which the office is open. */
export function workDayTest({ workDays, holidays }: OfficeDays): (date: string) => boolean {
  const closed = new Set(holidays.map(({ on }) => on))
  // A Sunday is 0 in dates but 7 in the settings.
  return (date) => workDays.includes(weekday(date) || 7) && !closed.has(date)
}

/** Returns the last working day before a date. */
export function workDayBefore(officeDays: OfficeDays, date: string): string {
  const isWorkDay = workDayTest(officeDays)
  let day = addDays(date, -1)
  for (let back = 0; !isWorkDay(day) && back < DAYS_AHEAD; back += 1) day = addDays(day, -1)
  return day
}

/**
 * Returns the closing time on the `days`-th working day after something arrived. An arrival after closing time or on a
 * day off counts as arriving on the next working day.
 */
export function closingAfter(workingTime: WorkingTime, arrivedAt: Date, days: number): Date {
  const { timeZone, closes } = workingTime
  const isWorkDay = workDayTest(workingTime)
  const next = (from: string) => {
    let day = from
    for (let ahead = 0; !isWorkDay(day) && ahead < DAYS_AHEAD; ahead += 1) day = addDays(day, 1)
    return day
  }
  const arrival = dateIn(timeZone, arrivedAt)
  const isLate = isWorkDay(arrival) && timeIn(timeZone, arrivedAt) >= closes
  let date = next(isLate ? addDays(arrival, 1) : arrival)
  for (let left = days; left > 0; left -= 1) date = next(addDays(date, 1))
  return instantAt(timeZone, date, closes)
}
