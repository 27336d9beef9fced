import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect } from 'react'
import { addDays } from '../../../shared/dates.ts'
import { setQuery } from '../../../web/go.ts'
import { useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Failed } from '../../../web/ui/States.tsx'
import { scheduledItems } from '../contract.ts'
import { type ItemStatus, WINDOW_DAYS } from '../rules.ts'
import { CalendarGrid } from './CalendarGrid.tsx'
import { gridStart, rangeTitle, startFrom } from './days.ts'
import type { Chosen } from './item-status.tsx'
import { RangeSteps } from './RangeSteps.tsx'
import { today } from './town.ts'

interface Filters {
  eventType: number | null
  status: ItemStatus | null
}

const everything: Filters = { eventType: null, status: null }

/** The two weeks that the address names, and what happens in them. */
export function useTwoWeeks({ eventType, status }: Filters = everything) {
  const first = startFrom(useQueryParam('from'), today)
  const last = addDays(first, WINDOW_DAYS - 1)
  const answer = useAnswer(scheduledItems, {
    selectedOption: 'calendar',
    fromDate: first,
    toDate: last,
    eventType,
    status,
  })
  useLogged(answer.error)
  return { first, last, ...answer }
}

/** Failures of the calendar are logged, and no dialog tells of them (specification 8.6). */
export function useLogged(error: unknown): void {
  useEffect(() => {
    // oxlint-disable-next-line no-console -- where else would a log of the browser be
    if (error) console.warn('calendar:', error)
  }, [error])
}

const show = (first: string) => setQuery({ from: first === gridStart(today) ? null : first })

interface TwoWeeksProps {
  weeks: ReturnType<typeof useTwoWeeks>
  onOpen: (chosen: Chosen) => void
  /** Stands at the right of the heading. */
  aside?: ReactNode
}

/** The header with its steps of fourteen days, and the grid (specification 2.11). */
export function TwoWeeks({ weeks: { first, last, data, error, refetch }, onOpen, aside }: TwoWeeksProps) {
  const { t } = useLingui()
  const here = first === gridStart(today)
  return (
    <section aria-labelledby="calendar">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="calendar">
          <Trans>Municipality Calendar</Trans>
        </h2>
        <RangeSteps
          title={rangeTitle(first, last)}
          labels={{ previous: t`Previous two weeks`, next: t`Next two weeks` }}
          here={here}
          onStep={(way) => show(addDays(first, way * WINDOW_DAYS))}
          onToday={() => show(gridStart(today))}
        />
      </div>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-3">
        <p className="font-bold font-display text-lg">
          {here ? <Trans>Next Two Weeks</Trans> : <Trans>Two Weeks</Trans>}
        </p>
        {aside}
      </div>
      {error && !data ? (
        <Failed error={error} title={<Trans>The calendar could not be loaded</Trans>} onRetry={() => void refetch()} />
      ) : (
        <CalendarGrid first={first} items={data?.data ?? null} onOpen={onOpen} />
      )}
    </section>
  )
}
