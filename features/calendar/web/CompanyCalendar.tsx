import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect } from 'react'
import { setQuery } from '../../../web/go.ts'
import { useLive } from '../../../web/live.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Failed } from '../../../web/ui/States.tsx'
import { calendarEvents, scheduledItems } from '../contract.ts'
import type { ItemStatus } from '../states.ts'
import { CalendarGrid } from './parts/CalendarGrid.tsx'
import type { Item } from './parts/item-status.tsx'
import { type Range, RangeName, useRange } from './parts/range.tsx'
import { RangeSteps } from './parts/RangeSteps.tsx'
import { rescheduleTo } from './parts/reschedule.ts'
import { today } from './company.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface Filters {
  eventType: number | null
  status: ItemStatus | null
}

const everything: Filters = { eventType: null, status: null }

/** Loads the items of the days given in the URL. */
export function useCompanyCalendar({ eventType, status }: Filters = everything) {
  const range = useRange()
  const { days } = range
  // Reloads the items immediately when other staff change them.
  useLive(calendarEvents, () => void reload(scheduledItems))
  const response = useResponse(scheduledItems, {
    selectedOption: 'calendar',
    fromDate: days[0] ?? today,
    toDate: days.at(-1) ?? today,
    eventType,
    status,
  })
  useLogged(response.error)
  return { range, ...response }
}

/** Logs a calendar error without showing a dialog (spec 8.6). */
export function useLogged(error: unknown): void {
  useEffect(() => {
    // oxlint-disable-next-line no-console -- the browser has no other log
    if (error) console.warn('calendar:', error)
  }, [error])
}

const show = (from: string | null) => setQuery({ from })

interface CompanyCalendarProps {
  calendar: ReturnType<typeof useCompanyCalendar>
  onOpen: (item: Item) => void
  /** Content to the right of the heading. */
  aside?: ReactNode
}

/**
 * Shows the calendar header and the grid (spec 2.11). The header's buttons move the calendar by fourteen days or one
 * month.
 */
export function CompanyCalendar({ calendar: { range, data, error, refetch }, onOpen, aside }: CompanyCalendarProps) {
  const { days, isAside }: Range = range
  return (
    <section aria-labelledby="calendar">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="calendar">
          <Trans>Municipality Calendar</Trans>
        </h2>
        <RangeSteps range={range} onShow={show} />
      </div>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-3">
        <p className="font-bold font-display text-lg">
          <RangeName range={range} />
        </p>
        <Text>{aside}</Text>
      </div>
      {error && !data ? (
        <Failed error={error} title={<Trans>The calendar could not be loaded</Trans>} onRetry={() => void refetch()} />
      ) : (
        <CalendarGrid days={days} isAside={isAside} items={data?.data ?? null} onOpen={onOpen} onMove={rescheduleTo} />
      )}
    </section>
  )
}
