import { Trans } from '@lingui/react/macro'
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { useTableState } from '../../../web/ui/office/table/table-state.ts'
import { PageHead } from '../../../web/ui/Page.tsx'
import { Failed } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { masterCalendar, masterCalendarCsv } from '../contract.ts'
import { DayGrid, DaySkeleton } from './DayGrid.tsx'
import { EventDetails } from './EventDetails.tsx'
import { filtersOf, type MasterFilter } from './master-filters.ts'
import { MasterDay, type MasterItem } from './MasterDay.tsx'
import { MasterDayItems } from './MasterDayItems.tsx'
import { MasterFilters } from './MasterFilters.tsx'
import { RangeSteps } from './parts/RangeSteps.tsx'
import { useLogged } from './CompanyCalendar.tsx'
import { today } from './company.ts'
import { RangeName, useRange, ViewSelect } from './parts/range.tsx'
import type { RequestInputOf } from '../../../shared/endpoint.ts'

/** Number of items shown in a day's cell. The month view shows only counts. The list of a day shows all items. */
const VISIBLE_ITEMS = { weeks: 4, month: 0 }

/** Shows the items of all companies, day by day (spec 2.4, 2.12). */
export default function MasterCalendarScreen() {
  const state = useTableState<MasterFilter>({
    sort: 'calendar_date',
    direction: 'asc',
    filters: { company: '', eventType: '', status: '', day: '' },
  })
  const range = useRange()
  const { view, days, isAside } = range
  const question = {
    fromDate: days[0] ?? today,
    toDate: days.at(-1) ?? today,
    filters: filtersOf(state.question.filters),
  }
  const { data, error, refetch } = useResponse(masterCalendar, question)
  useLogged(error)
  const [item, setItem] = useState<MasterItem | null>(null)
  const byDay = new Map(data?.days.map((day) => [day.day, day]))
  const day = days.find((one) => one === state.question.filters.day) ?? null
  const count = data ? data.days.reduce((sum, one) => sum + one.count, 0) : null
  // Changing the visible days also closes the list of the open day.
  const show = (from: string | null, more: Record<string, string | null> = {}) =>
    setQuery({ from, day: null, cursor: null, page: null, search: null, ...more })
  return (
    <>
      <PageHead
        title={<Trans>Master Calendar</Trans>}
        actions={
          <>
            {day === null && (
              <Button icon={Printer} onClick={() => globalThis.print()}>
                <Trans>Print</Trans>
              </Button>
            )}
            <ExportButton question={question} />
          </>
        }
      />
      <MasterFilters
        state={state}
        count={count}
        before={<ViewSelect range={range} onChange={(view, from) => show(from, { view })} />}
      />
      {/* If the list of a day is open, only the list is printed. */}
      <section aria-labelledby="calendar" className={cx(day !== null && 'print:hidden')}>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h2 id="calendar" className="text-h3">
            <RangeName range={range} />
          </h2>
          <RangeSteps range={range} onShow={(from) => show(from)} />
        </div>
        {error && !data ? (
          <Failed
            error={error}
            title={<Trans>The calendar could not be loaded</Trans>}
            onRetry={() => void refetch()}
          />
        ) : (
          <>
            {count === 0 && <NothingScheduled />}
            <DayGrid days={days} busy={!data} isAside={isAside}>
              {(date) =>
                data ? (
                  <MasterDay
                    date={date}
                    day={byDay.get(date)}
                    maxItems={VISIBLE_ITEMS[view]}
                    open={date === day}
                    onDay={() => state.setFilters({ day: date === day ? '' : date })}
                    onItem={setItem}
                  />
                ) : (
                  <DaySkeleton />
                )
              }
            </DayGrid>
          </>
        )}
      </section>
      {day !== null && <MasterDayItems day={day} onItem={setItem} onClose={() => state.setFilters({ day: '' })} />}
      {item && (
        <EventDetails
          item={item}
          company={{
            name: item.company,
            timeZone: item.timeZone,
            information: may('company_setup', 'view') ? `/admin/${item.companyId}/company/information` : null,
          }}
          onClose={() => setItem(null)}
        />
      )}
    </>
  )
}

function ExportButton({ question }: { question: RequestInputOf<typeof masterCalendarCsv> }) {
  const [saving, setSaving] = useState(false)
  const save = () => {
    setSaving(true)
    download(masterCalendarCsv, question)
      .catch((problem: unknown) => toast(messageOf(problem), 'danger'))
      .finally(() => setSaving(false))
  }
  return (
    <Button icon={Download} busy={saving} onClick={save}>
      <Trans>Export CSV</Trans>
    </Button>
  )
}

const NothingScheduled = () => (
  <p className="lots mb-4 px-3 py-4 text-center text-muted">
    <span className="bg-surface px-2">
      <Trans>Nothing is scheduled on these days.</Trans>
    </span>
  </p>
)
