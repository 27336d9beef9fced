import { addDays } from '../../../shared/dates.ts'
import { boot } from '../../../web/boot.ts'
import { dayOf, longInstant, shortTime } from '../../../web/clock.ts'

/** `13:30` reads `1:30 PM`. */
export const clockWords = (time: string): string => {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}:${time.slice(3)} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

/** From when until when a reservation is, on the town's clocks. */
export const spanWords = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): string =>
  `${longInstant(startsAt)} – ${shortTime(endsAt)}`

/** What ends at midnight ends for whoever reads it with the day before: `apply until December 12`. */
export const lastDayOf = (endsAt: string): string => addDays(dayOf(endsAt), -1)

const written = (year: boolean) =>
  new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' },
    ...(year && { year: 'numeric' }),
  })
const [inThisYear, inAnother] = [written(false), written(true)]
/** `2027-06-12` reads `Saturday, June 12`, and has its year where that is not this one. */
export const dayWords = (day: string): string =>
  (day.slice(0, 4) === boot.today.slice(0, 4) ? inThisYear : inAnother).format(new Date(`${day}T00:00:00Z`))
