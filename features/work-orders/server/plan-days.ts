import { RRuleTemporal } from 'rrule-temporal'

/**
 * The days on which a rule of RFC 5545 has something done, counted from `startsOn`, from one day on, at most so many. Days
 * are counted, not instants, so no change of the clocks moves one; a time that is skipped by the clocks on such a day is
 * taken an hour earlier (`instantAt`).
 */
export function daysOfRule(rule: string, startsOn: string, from: string, most: number): string[] {
  const whole = new RRuleTemporal({ rruleString: `DTSTART:${startsOn.replaceAll('-', '')}T000000Z\nRRULE:${rule}` })
  const days: string[] = []
  let at = new Date(`${from}T00:00:00Z`)
  while (days.length < most) {
    const next = whole.next(at, days.length === 0)
    if (!next) break
    const day = next.toString().slice(0, 10)
    days.push(day)
    at = new Date(`${day}T00:00:00Z`)
  }
  return days
}
