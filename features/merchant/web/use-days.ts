import { setQuery } from '../../../web/go.ts'
import { useDaysField, usualDays, withDays } from '../../../web/list/DaysFilter.tsx'
import { useQueryText } from '../../../web/routes.tsx'
import type { Period } from '../rules.ts'

/** Days of the overview, in the format of a list filter. The default is the last 30 days. */
const OF_DAYS = { days: { usual: 30 } }

/** Returns the period in the URL and the field that changes it. The URL is untrusted input. */
export function useDays() {
  const queryParams = Object.fromEntries(new URLSearchParams(useQueryText()))
  const { fromDate: first = '', toDate: last = '', dates = '' } = usualDays(OF_DAYS)
  const usual = { fromDate: first, toDate: last, dates }
  const filters = { ...usual, ...queryParams }
  const set = (values: Record<string, string>) => {
    // A named period can cover the same days as the default. So a period counts as the default only if it has no name.
    const isUsual = !values['dates'] && values['fromDate'] === usual.fromDate && values['toDate'] === usual.toDate
    setQuery(isUsual ? { dates: null, fromDate: null, toDate: null } : values)
  }
  const [field] = useDaysField(OF_DAYS, filters, set)
  const { fromDate, toDate } = withDays<Record<string, string>>(OF_DAYS, filters)
  const period: Period = fromDate && toDate ? { fromDate, toDate } : { fromDate: first, toDate: last }
  return { field, period }
}
