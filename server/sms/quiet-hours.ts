import { addDays, dateIn, midnightIn, timeIn } from '../../shared/dates.ts'

export interface QuietHours {
  /** `21:00`, by the town's clock. The same as `to`: there are none. */
  from: string
  to: string
}

const DAY_MS = 86_400_000

/** When the quiet hours end in which a moment lies; null where it lies in none. */
export function endOfQuiet(now: Date, timeZone: string, { from, to }: QuietHours): Date | null {
  const time = timeIn(timeZone, now)
  const overNight = from > to
  const isQuiet = overNight ? time >= from || time < to : time >= from && time < to
  if (!isQuiet) return null
  const today = dateIn(timeZone, now)
  return instantOf(timeZone, overNight && time >= from ? addDays(today, 1) : today, to)
}

/** A time of day, also of a day that is an hour longer or shorter; a time that the clocks leave out is an hour later. */
function instantOf(timeZone: string, day: string, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const guess = midnightIn(timeZone, day).getTime() + (hours * 60 + minutes) * 60_000
  const told = timeIn(timeZone, new Date(guess))
  const [toldHours = 0, toldMinutes = 0] = told.split(':').map(Number)
  const off = (hours * 60 + minutes - toldHours * 60 - toldMinutes) * 60_000
  // Never a day: where a change of clocks lies between midnight and then, an hour at most.
  const nearest = off > DAY_MS / 2 ? off - DAY_MS : off < -DAY_MS / 2 ? off + DAY_MS : off
  const right = new Date(guess + nearest)
  return timeIn(timeZone, right) === time ? right : new Date(Math.max(guess, right.getTime()))
}
