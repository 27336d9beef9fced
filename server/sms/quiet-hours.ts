import { addDays, dateIn, midnightIn, timeIn } from '../../shared/dates.ts'

export interface QuietHours {
  /** Start of the quiet hours in the company's time zone, such as `21:00`. If it equals `to`, no quiet hours apply. */
  from: string
  to: string
}

const DAY_MS = 86_400_000

/** Returns the end of the quiet hours that `now` falls into. Null if `now` is outside quiet hours. */
export function endOfQuiet(now: Date, timeZone: string, { from, to }: QuietHours): Date | null {
  const time = timeIn(timeZone, now)
  const overNight = from > to
  const isQuiet = overNight ? time >= from || time < to : time >= from && time < to
  if (!isQuiet) return null
  const today = dateIn(timeZone, now)
  return instantOf(timeZone, overNight && time >= from ? addDays(today, 1) : today, to)
}

/**
 * Converts a local date and time to an instant. If a clock change skips the time, returns the instant one hour later.
 */
function instantOf(timeZone: string, day: string, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const guess = midnightIn(timeZone, day).getTime() + (hours * 60 + minutes) * 60_000
  const localTime = timeIn(timeZone, new Date(guess))
  const [localHours = 0, localMinutes = 0] = localTime.split(':').map(Number)
  const off = (hours * 60 + minutes - localHours * 60 - localMinutes) * 60_000
  // A clock change shifts the time by an hour at most. A difference of more than half a day means that the two times
  // are on different days.
  const nearest = off > DAY_MS / 2 ? off - DAY_MS : off < -DAY_MS / 2 ? off + DAY_MS : off
  const right = new Date(guess + nearest)
  return timeIn(timeZone, right) === time ? right : new Date(Math.max(guess, right.getTime()))
}
