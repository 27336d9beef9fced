import { RRuleTemporal } from 'rrule-temporal'

/**
 * The days on which a rule of RFC 5545 has something done, counted from `startsOn`, from one day on, at most so many. Days
 * are counted, not instants, so no change of the clocks moves one; a time that is skipped by the clocks on such a day is
 * taken an hour earlier (`instantAt`).
 */
export function daysOfRule(rule: string, startsOn: string, from: string, most: number): string[] {
  const whole = new RRuleTemporal({ rruleString: `DTSTART:${startsOn.replaceAll('-', '')}T000000Z\nRRULE:${rule}` })
  const first = new Date(`${from}T00:00:00Z`)
  // Most have enough days within a year; what comes seldom is looked for further ahead.
  for (const years of [1, 6, 40, 400]) {
    const last = new Date(first)
    last.setUTCFullYear(last.getUTCFullYear() + years)
    const days = whole.between(first, last, true)
    if (days.length >= most || years === 400) return days.slice(0, most).map((day) => day.toString().slice(0, 10))
  }
  return []
}
