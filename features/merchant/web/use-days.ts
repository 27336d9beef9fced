import { setQuery } from '../../../web/go.ts'
import { useDaysField, usualDays, withDays } from '../../../web/list/DaysFilter.tsx'
import { useQueryText } from '../../../web/routes.tsx'
import type { Period } from '../rules.ts'

/** The overview's days as a list has them: by name or from one to another, the last 30 unless the address says otherwise. */
const OF_DAYS = { days: { usual: 30 } }

/** The days that the address asks for, and the field that changes them. The address may say anything. */
export function useDays() {
  const asked = Object.fromEntries(new URLSearchParams(useQueryText()))
  const { fromDate: first = '', toDate: last = '', dates = '' } = usualDays(OF_DAYS)
  const usual = { fromDate: first, toDate: last, dates }
  const filters = { ...usual, ...asked }
  const set = (values: Record<string, string>) => {
    // Days that are asked for by a name come with the usual ones beside it.
    const isUsual = !values['dates'] && values['fromDate'] === usual.fromDate && values['toDate'] === usual.toDate
    setQuery(isUsual ? { dates: null, fromDate: null, toDate: null } : values)
  }
  const [field] = useDaysField(OF_DAYS, filters, set)
  const { fromDate, toDate } = withDays<Record<string, string>>(OF_DAYS, filters)
  const period: Period = fromDate && toDate ? { fromDate, toDate } : { fromDate: first, toDate: last }
  return { field, period }
}
