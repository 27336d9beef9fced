import { RRuleTemporal } from 'rrule-temporal'

/**
 * Lists the days of an RFC 5545 rule that starts on `startsOn`. Returns up to `max` days, beginning with the day
 * `from`. The calculation uses days, not instants, so clock changes do not affect the days. If a clock change skips the
 * local time on one of these days, `instantAt` uses the time one hour earlier.
 */
export function daysOfRule(rule: string, startsOn: string, from: string, max: number): string[] {
  const whole = new RRuleTemporal({ rruleString: `DTSTART:${startsOn.replaceAll('-', '')}T000000Z\nRRULE:${rule}` })
  const first = new Date(`${from}T00:00:00Z`)
  // Most rules have enough days within a year. Rare ones need a longer search.
  for (const years of [1, 6, 40, 400]) {
    const last = new Date(first)
    last.setUTCFullYear(last.getUTCFullYear() + years)
    const days = whole.between(first, last, true)
    if (days.length >= max || years === 400) return days.slice(0, max).map((day) => day.toString().slice(0, 10))
  }
  return []
}
