import { longInstant, shortTime } from '../../../web/clock.ts'

/** `13:30` reads `1:30 PM`. */
export const clockWords = (time: string): string => {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3)} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

/** From when until when a reservation is, on the town's clocks. */
export const spanWords = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): string =>
  `${longInstant(startsAt)} – ${shortTime(endsAt)}`

const weekdays = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' })
/** `2027-06-12` reads `Saturday, June 12`. */
export const dayWords = (day: string): string => weekdays.format(new Date(`${day}T00:00:00Z`))
