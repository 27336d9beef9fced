/**
 * Named date ranges of a list. A saved view stores the name instead of the dates, so that a view of last month stays
 * current.
 */
import { addDays, isDay, weekday } from '../../shared/dates.ts'

export const dayPresets = ['ahead', 'today', 'week', 'month', 'last-month', 'fiscal-year'] as const
export type DayPreset = (typeof dayPresets)[number]

export const isPreset = (text: string | undefined): text is DayPreset => dayPresets.some((preset) => preset === text)

/** Returns a day from the URL, or '' if the day is missing or malformed. */
export const dayIn = (text = ''): string => (isDay(text) ? text : '')

const first = (year: number, month: number): string => new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)

/**
 * Returns the first and last day of a named range, relative to `today`. If the range has no first or last day, that
 * value is ''. The fiscal year starts on the first day of `fiscalMonth`.
 */
export function daysOf(preset: DayPreset, today: string, fiscalMonth: number): { from: string; to: string } {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const months = (from: number, count: number, of = year) => ({
    from: first(of, from),
    to: addDays(first(of, from + count), -1),
  })
  if (preset === 'ahead') return { from: today, to: '' }
  if (preset === 'today') return { from: today, to: today }
  if (preset === 'week') {
    const sunday = addDays(today, -weekday(today))
    return { from: sunday, to: addDays(sunday, 6) }
  }
  if (preset === 'month') return months(month, 1)
  if (preset === 'last-month') return months(month - 1, 1)
  return months(fiscalMonth, 12, month >= fiscalMonth ? year : year - 1)
}
