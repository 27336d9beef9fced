import { addDays, dateIn, instantAt, timeIn, weekday } from './dates.ts'

/** Working days and holidays of a company's office. */
export interface OfficeDays {
  /** From 1 (Monday) to 7 (Sunday). */
  workDays: number[]
  /** Additional days on which the office is closed. */
  holidays: { on: string; name: string }[]
}

/** Days of an office that never set them. */
export const USUAL_OFFICE_DAYS: OfficeDays = { workDays: [1, 2, 3, 4, 5], holidays: [] }

/** Office days with the time zone and the closing time. */
export interface WorkingTime extends OfficeDays {
  timeZone: string
  /** Closing time of the office, as HH:mm. */
  closes: string
}

/** Limit of the search for a working day, for an office without any. */
const DAYS_AHEAD = 3660

/** Returns a function that is true for the days on which the office works. */
export function workDayTest({ workDays, holidays }: OfficeDays): (date: string) => boolean {
  const closed = new Set(holidays.map(({ on }) => on))
  // Sunday is 0 in dates and 7 in settings.
  return (date) => workDays.includes(weekday(date) || 7) && !closed.has(date)
}

/**
 * Closing time on the `days`-th working day after an arrival. An arrival after closing time or on a day off counts as
 * the next working day.
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
