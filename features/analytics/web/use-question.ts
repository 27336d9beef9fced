import { useMemo } from 'react'
import { addDays, daysBetween, isDay } from '../../../shared/dates.ts'
import { page } from '../../../web/page.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryText } from '../../../web/routes.tsx'
import { MAX_DAYS_BY_DAY } from '../rules.ts'

/** Periods that end today, in days, or `dates` for a custom range. */
export const periods = ['7', '30', '90', '365', 'dates'] as const
export type Period = (typeof periods)[number]
const USUAL: Period = '30'

export interface Question {
  period: Period
  fromDate: string
  toDate: string
  company: number | undefined
  by: 'day' | 'month'
  /** True if the period is short enough for one bar a day. */
  mayByDay: boolean
}

/** Reads the query of the screen from the URL, and validates it. */
export function useQuestion(): Question {
  const text = useQueryText()
  return useMemo(() => {
    const query = new URLSearchParams(text)
    const period = periods.find((one) => one === query.get('period')) ?? USUAL
    const usualFrom = addDays(page().today, 1 - Number(period === 'dates' ? USUAL : period))
    const [from, to] = [query.get('fromDate') ?? '', query.get('toDate') ?? '']
    const dates = period === 'dates' && isDay(from) && isDay(to)
    const [fromDate, toDate] = dates ? [from, to] : [usualFrom, page().today]
    const mayByDay = daysBetween(fromDate, toDate) < MAX_DAYS_BY_DAY
    const company = query.get('company') ?? ''
    return {
      period,
      fromDate,
      toDate,
      mayByDay,
      company: /^[1-9]\d{0,8}$/.test(company) ? Number(company) : undefined,
      by: query.get('by') === 'month' || !mayByDay ? 'month' : 'day',
    }
  }, [text])
}

export const changeQuery = (
  changed: Partial<Record<'period' | 'fromDate' | 'toDate' | 'company' | 'by', string | null>>,
): void => setQuery(changed)
