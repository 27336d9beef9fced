/** Recurrence rules, in the form in which forms store them and as RRULEs of RFC 5545. */
import * as z from 'zod/mini'
import { formatDate } from './dates.ts'
import { isoDate } from './iso-date.ts'
import { say } from './messages.ts'

const EVERY = 'Enter an interval of 1 to 366 days, weeks, months or years.'
export const repeats = z.object({
  unit: z.enum(['day', 'week', 'month', 'year']),
  /** Interval: the rule applies every nth day, week, month or year. */
  every: z.int({ error: EVERY }).check(z.minimum(1, EVERY), z.maximum(366, EVERY)),
  /** Weekdays of a weekly rule. 0 is Sunday. If empty, the rule uses the weekday of the first day. */
  weekdays: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.maxLength(7)),
  /**
   * For monthly and yearly rules: whether to repeat on the same day of the month, or on the same weekday, such as the
   * second Tuesday.
   */
  by: z.enum(['day', 'weekday']),
  /** The last day, or '' for none. */
  until: z.union([isoDate, z.string().check(z.length(0))]),
})
export type RepeatRule = z.output<typeof repeats>

const FREQUENCY = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** Returns the rule as an RRULE of RFC 5545. */
export function ruleOf({ unit, every, weekdays, by, until }: RepeatRule, startsOn: string): string {
  const at = new Date(`${startsOn}T00:00:00Z`)
  const day = at.getUTCDate()
  const parts = [`FREQ=${FREQUENCY[unit]}`, `INTERVAL=${every}`]
  if (unit === 'week' && weekdays.length > 0)
    parts.push(
      `BYDAY=${weekdays
        .toSorted((a, b) => a - b)
        .map((one) => WEEKDAYS[one])
        .join(',')}`,
    )
  if (unit === 'year') parts.push(`BYMONTH=${at.getUTCMonth() + 1}`)
  if ((unit === 'month' || unit === 'year') && by === 'weekday') {
    // Treats a fifth weekday of the month as the last, because most months have only four.
    const ordinal = day > 28 ? -1 : Math.ceil(day / 7)
    parts.push(`BYDAY=${ordinal}${WEEKDAYS[at.getUTCDay()]}`)
  } else if (unit === 'month' || unit === 'year') {
    // For a month that lacks this day, the rule uses the last day of the month instead of skipping the month.
    const last = Array.from({ length: day - 27 }, (_, more) => 28 + more)
    parts.push(...(day > 28 ? [`BYMONTHDAY=${last.join(',')}`, 'BYSETPOS=-1'] : [`BYMONTHDAY=${day}`]))
  }
  if (until) parts.push(`UNTIL=${until.replaceAll('-', '')}T000000Z`)
  return parts.join(';')
}

/** Converts an RRULE that `ruleOf` created back to form values. */
export function repeatsOf(rule: string): RepeatRule {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]))
  const unit =
    (Object.keys(FREQUENCY) as RepeatRule['unit'][]).find((one) => FREQUENCY[one] === parts.get('FREQ')) ?? 'day'
  const byDay = parts.get('BYDAY') ?? ''
  return {
    unit,
    every: Number(parts.get('INTERVAL') ?? 1),
    weekdays: unit === 'week' && byDay ? byDay.split(',').map((one) => WEEKDAYS.indexOf(one as 'SU')) : [],
    by: unit !== 'week' && byDay ? 'weekday' : 'day',
    until: (parts.get('UNTIL') ?? '').replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3'),
  }
}

/** Describes a rule in words, such as 'Every 2 weeks'. */
export function repeatText({ unit, every, until }: RepeatRule): string {
  const text = {
    day: every === 1 ? say`Every day` : say`Every ${every} days`,
    week: every === 1 ? say`Every week` : say`Every ${every} weeks`,
    month: every === 1 ? say`Every month` : say`Every ${every} months`,
    year: every === 1 ? say`Every year` : say`Every ${every} years`,
  }[unit]
  return until ? say`${text} until ${formatDate(until)}` : text
}
