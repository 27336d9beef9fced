import { Trans, useLingui } from '@lingui/react/macro'
import { addDays, formatMonth } from '../../../../shared/dates.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { WINDOW_DAYS } from '../../rules.ts'
import { addMonths, daysFrom, gridStart, monthDays, monthFrom, rangeTitle, startFrom } from './days.ts'
import { today } from '../company.ts'

/** Reads the visible days from the URL: two weeks, or a month in whole weeks. */
export function useRange() {
  const { t } = useLingui()
  const requestedDay = useQueryParam('from')
  const isMonth = useQueryParam('view') === 'month'
  if (isMonth) {
    const first = monthFrom(requestedDay, today)
    const days = monthDays(first)
    return {
      view: 'month' as const,
      days,
      title: formatMonth(first),
      here: first === monthFrom(null, today),
      step: (direction: -1 | 1) => addMonths(first, direction),
      labels: { previous: t`Previous month`, next: t`Next month` },
      isAside: (day: string) => day.slice(0, 7) !== first.slice(0, 7),
    }
  }
  const first = startFrom(requestedDay, today)
  return {
    view: 'weeks' as const,
    days: daysFrom(first),
    title: rangeTitle(first, addDays(first, WINDOW_DAYS - 1)),
    here: first === gridStart(today),
    step: (direction: -1 | 1) => addDays(first, direction * WINDOW_DAYS),
    labels: { previous: t`Previous two weeks`, next: t`Next two weeks` },
    isAside: () => false,
  }
}

export type Range = ReturnType<typeof useRange>

export const RangeName = ({ range: { view, here } }: { range: Range }) =>
  view === 'month' ? <Trans>Month</Trans> : here ? <Trans>Next Two Weeks</Trans> : <Trans>Two Weeks</Trans>

interface ViewSelectProps {
  range: Range
  /** Called with the view to store in the URL (null for the default view) and a day that must stay visible. */
  onChange: (view: string | null, from: string | null) => void
}

export function ViewSelect({ range: { view, days }, onChange }: ViewSelectProps) {
  const { t } = useLingui()
  return (
    <Select
      className="md:min-w-36"
      label={<Trans>View</Trans>}
      value={view}
      onChange={({ target }) => onChange(target.value === 'month' ? 'month' : null, days[WINDOW_DAYS / 2] ?? null)}
      options={[
        { value: 'weeks', label: t`Two weeks` },
        { value: 'month', label: t`Month` },
      ]}
    />
  )
}
