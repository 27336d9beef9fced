/** The dates that a list offers by name. What is kept is the name, so that a saved view of last month follows the months. */
import { addDays, isDay, weekday } from '../../shared/dates.ts'

export const dayPresets = ['ahead', 'today', 'week', 'month', 'last-month', 'fiscal-year'] as const
export type DayPreset = (typeof dayPresets)[number]

export const isPreset = (text: string | undefined): text is DayPreset => dayPresets.some((preset) => preset === text)

/** The day that the address names; '' where it names none, since the address may say anything. */
export const dayIn = (text = ''): string => (isDay(text) ? text : '')

const first = (year: number, month: number): string => new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)

/** Its first and its last day, seen from `today`; '' where it has none. The fiscal year begins with the first of `fiscalMonth`. */
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
