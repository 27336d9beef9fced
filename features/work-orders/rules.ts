import { formatDate } from '../../shared/dates.ts'
import { say } from '../../shared/words.ts'

/** General severity (specification 9.4). */
export const severityLabels = { 0: 'High', 1: 'Standard', 2: 'Low' } as const
export type Severity = keyof typeof severityLabels

export const kindLabels = {
  repair: 'Repair',
  reading: 'Reading',
  inspection: 'Inspection',
  maintenance: 'Maintenance',
} as const
export type OrderKind = keyof typeof kindLabels

export const costLabels = { labor: 'Labor', part: 'Parts', other: 'Other' } as const
export type CostKind = keyof typeof costLabels

/** What a line of costs comes to: labor is counted in minutes and paid by the hour, rounded to the cent. */
export const costOf = (kind: CostKind, quantity: number, unitCents: number): number =>
  kind === 'labor' ? Math.round((quantity * unitCents) / 60) : quantity * unitCents

/** 'WO-2026-000123' */
export const orderNumber = (year: number, nth: number): string => `WO-${year}-${String(nth).padStart(6, '0')}`

/** What lists of orders are narrowed to: a state, or all in which somebody has something to do. */
export const statusFilterLabels = {
  open: 'Open',
  created: 'Created',
  in_progress: 'In progress',
  completed: 'Completed',
  reopened: 'Reopen',
  invalid: 'Invalid',
} as const
export const statusOfFilter = { created: 0, in_progress: 1, completed: 2, reopened: 3, invalid: 4 } as const

/** For so many days the board shows what was completed. */
const BOARD_DAYS = 14
export const boardSince = (now: Date): Date => new Date(now.getTime() - BOARD_DAYS * 86_400_000)

/** How often a plan's work comes again, as its form has it. */
export interface Repeats {
  unit: 'day' | 'week' | 'month' | 'year'
  /** Every so many of them. */
  every: number
  /** Of weeks: 0 is Sunday. None means the weekday of the first day. */
  weekdays: readonly number[]
  /** Of months and years: on the same day of the month, or on the same weekday of it, such as the second Tuesday. */
  by: 'day' | 'weekday'
  /** The last day, or '' for none. */
  until: string
}

const FREQUENCY = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** The same as an RRULE of RFC 5545. */
export function ruleOf({ unit, every, weekdays, by, until }: Repeats, startsOn: string): string {
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
    // The fifth of a weekday is the last: most months have four.
    const nth = day > 28 ? -1 : Math.ceil(day / 7)
    parts.push(`BYDAY=${nth}${WEEKDAYS[at.getUTCDay()]}`)
  } else if (unit === 'month' || unit === 'year') {
    // A month that has no such day takes its last one, instead of being left out.
    const last = Array.from({ length: day - 27 }, (_, more) => 28 + more)
    parts.push(...(day > 28 ? [`BYMONTHDAY=${last.join(',')}`, 'BYSETPOS=-1'] : [`BYMONTHDAY=${day}`]))
  }
  if (until) parts.push(`UNTIL=${until.replaceAll('-', '')}T000000Z`)
  return parts.join(';')
}

/** What `ruleOf` wrote, as the form has it. */
export function repeatsOf(rule: string): Repeats {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]))
  const unit =
    (Object.keys(FREQUENCY) as Repeats['unit'][]).find((one) => FREQUENCY[one] === parts.get('FREQ')) ?? 'day'
  const byDay = parts.get('BYDAY') ?? ''
  return {
    unit,
    every: Number(parts.get('INTERVAL') ?? 1),
    weekdays: unit === 'week' && byDay ? byDay.split(',').map((one) => WEEKDAYS.indexOf(one as 'SU')) : [],
    by: unit !== 'week' && byDay ? 'weekday' : 'day',
    until: (parts.get('UNTIL') ?? '').replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3'),
  }
}

/** 'Every 2 weeks' */
export function repeatsWords({ unit, every, until }: Repeats): string {
  const words = {
    day: every === 1 ? say`Every day` : say`Every ${every} days`,
    week: every === 1 ? say`Every week` : say`Every ${every} weeks`,
    month: every === 1 ? say`Every month` : say`Every ${every} months`,
    year: every === 1 ? say`Every year` : say`Every ${every} years`,
  }[unit]
  return until ? say`${words} until ${formatDate(until)}` : words
}
