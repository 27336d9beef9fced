import { addDays } from '../shared/dates.ts'
import { page } from './page.ts'
import { dayOf, longInstant, shortTime } from './clock.ts'

/** Formats a start and an end on the same day, in the company's time zone. */
export const spanText = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): string =>
  `${longInstant(startsAt)} – ${shortTime(endsAt)}`

/** Returns the last full day before an end at midnight, for texts such as `apply until December 12`. */
export const lastDayOf = (endsAt: string): string => addDays(dayOf(endsAt), -1)

const written = (year: boolean) =>
  new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' },
    ...(year && { year: 'numeric' }),
  })
const [inThisYear, inAnother] = [written(false), written(true)]
/** Formats `2027-06-12` as `Saturday, June 12`, and adds the year if it is not the current year. */
export const dayText = (day: string): string =>
  (day.slice(0, 4) === page().today.slice(0, 4) ? inThisYear : inAnother).format(new Date(`${day}T00:00:00Z`))

const weekdays = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' })
/** Formats a day as `Sat`. */
export const weekdayText = (day: string): string => weekdays.format(new Date(`${day}T00:00:00Z`))
