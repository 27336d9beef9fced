import { useLingui } from '@lingui/react/macro'
import { addDays, formatShortDate } from '../../shared/dates.ts'
import type { List } from '../../shared/list.ts'
import { translated } from '../../shared/messages.ts'
import { page } from '../page.ts'
import { Select } from '../ui/Choice.tsx'
import { DateRange } from '../ui/office/DateRange.tsx'
import type { FilterField } from '../ui/office/table/fields.ts'
import { dayIn, dayPresets, type DayPreset, daysOf, isPreset } from './days.ts'

type Values = Readonly<Record<string, string>>

/** A list or report with a date range. */
type ListWithDays = Pick<List, 'days'>

const fiscalMonth = page().company?.fiscalMonth ?? 1

/** Returns the default date range of a list. */
export function usualDays(list: ListWithDays): Record<string, string> {
  if (!list.days) return {}
  const back = list.days.usual
  const [fromDate, toDate] = back === undefined ? ['', ''] : [addDays(page().today, -back), page().today]
  return { dates: '', fromDate, toDate }
}

/**
 * Replaces a named range in the filters with the dates that it means today. For example, the dates of 'last-month'
 * change each month.
 */
export function withDays<Filters extends Values>(list: ListWithDays, filters: Filters): Filters {
  const { dates, fromDate, toDate } = filters
  if (!list.days) return filters
  if (!isPreset(dates)) return { ...filters, fromDate: dayIn(fromDate), toDate: dayIn(toDate) }
  const { from, to } = daysOf(dates, page().today, fiscalMonth)
  return { ...filters, fromDate: from, toDate: to }
}

const CHOSEN = 'chosen'
const ANY = 'any'

/** Returns the filter field for a list's date range: a named range, or two dates. */
export function useDaysField(
  list: ListWithDays,
  filters: Values,
  set: (values: Record<string, string>) => void,
): FilterField[] {
  const { t } = useLingui()
  if (!list.days) return []
  const usual = usualDays(list)
  const { fromDate: from = '', toDate: to = '' } = withDays(list, filters)
  const named = isPreset(filters['dates']) ? filters['dates'] : null
  const isUsual = !named && from === usual['fromDate'] && to === usual['toDate']
  const back = list.days.usual
  const names: Record<DayPreset, string> = {
    ahead: t`Today and later`,
    today: t`Today`,
    week: t`This week`,
    month: t`This month`,
    'last-month': t`Last month`,
    'fiscal-year': t`Fiscal year`,
  }
  // The range includes today, so it is one day longer than "last 30 days". The label is therefore "Past 30 days".
  const usualName = back === undefined ? t`Any date` : back === 0 ? t`Today only` : t`Past ${back} days`
  const value = named ?? (isUsual ? '' : from || to ? CHOSEN : ANY)
  const choose = (chosen: string) => {
    if (chosen === '') set(usual)
    else if (chosen === ANY) set({ dates: '', fromDate: '', toDate: '' })
    else if (isPreset(chosen)) set({ ...usual, dates: chosen })
  }
  const days = [from, to].filter(Boolean).map(formatShortDate).join(' – ')
  const label = translated(list.days.label ?? '') || t`Date range`
  return [
    {
      id: 'days',
      label,
      width: 460,
      changed: !isUsual,
      valueText: named ? `${names[named]} (${days})` : days || (isUsual ? '' : t`Any date`),
      isComplete: named === 'ahead',
      clear: () => set(usual),
      node: (
        <div className="flex items-start gap-2 max-md:flex-col max-md:items-stretch">
          <Select
            className="md:w-36"
            label={t`Dates`}
            value={value}
            onChange={({ target }) => choose(target.value)}
            options={[
              { value: '', label: usualName },
              ...dayPresets
                .filter((preset) => preset !== 'ahead' || list.days?.ahead || value === 'ahead')
                .map((preset) => ({ value: preset, label: names[preset] })),
              ...(back === undefined ? [] : [{ value: ANY, label: t`Any date` }]),
              ...(value === CHOSEN ? [{ value: CHOSEN, label: t`Custom dates` }] : []),
            ]}
          />
          <DateRange
            label={label}
            from={from}
            to={to}
            onChange={(range) => set({ dates: '', fromDate: range.from, toDate: range.to })}
          />
        </div>
      ),
    },
  ]
}
