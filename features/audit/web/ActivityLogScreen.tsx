import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, History } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf, RequestInputOf } from '../../../shared/endpoint.ts'
import { isMunicipalityRole } from '../../../shared/privileges.ts'
import { myOngoingItems } from '../../../shared/ongoing-items.ts'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { call, messageOf } from '../../../web/call.ts'
import { dayOf, shortTime } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { keyOf, queries, useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import OngoingItems from '../../../web/citizen/OngoingItems.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { activityCsv, activityLog } from '../contract.ts'
import { actionGroups } from '../../../shared/audit-actions.ts'
import type { Kind } from '../rules.ts'

type Entry = ResponseOf<typeof activityLog>['entries'][number]
type Filters = NonNullable<RequestInputOf<typeof activityLog>['filters']>

/** Filter groups for residents. The other groups are for staff. */
const offered = ['sign_in', 'payment', 'profile', 'impersonation'] as const

/** Shows the resident's actions and actions on the account (spec 2.1). */
export default function ActivityLogScreen() {
  const [filters, setFilters] = useState<Filters>({})
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: keyOf(activityLog, filters),
      queryFn: ({ pageParam, signal }) =>
        call(activityLog, { filters, ...(pageParam && { cursor: pageParam }) }, { signal }),
      initialPageParam: '',
      getNextPageParam: ({ next }) => next,
    },
    queries,
  )
  const ongoingItems = useResponse(myOngoingItems, {})
  const session = useSession()
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  const filtered = Object.values(filters).some(Boolean)
  const change = (changed: Filters) => setFilters({ ...filters, ...changed })
  const save = () => download(activityCsv, { filters }).catch((failure: unknown) => toast(messageOf(failure), 'danger'))
  const loading = (
    <LoadingState>
      <Trans>Loading your activity</Trans>
    </LoadingState>
  )
  return (
    <Measure className="py-10 md:py-14">
      <PageHead
        title={<Trans>Activity Log</Trans>}
        actions={
          <Button icon={Download} onClick={() => void save()}>
            <Trans>Download CSV</Trans>
          </Button>
        }
      >
        <Trans>Actions on your account, by you and by others.</Trans>{' '}
        {!isMunicipalityRole(session?.un ?? 0) && (
          <Link className="link print:hidden" to="/profile/paid-in-year">
            <Trans>Annual payment statement</Trans>
          </Link>
        )}
      </PageHead>
      {ongoingItems.isPending && loading}
      {/* Pending payments appear above the log. The log stays hidden until they have loaded, so that no content moves down. */}
      <div hidden={ongoingItems.isPending}>
        <div className="mb-10 empty:hidden lg:max-w-text">
          <OngoingItems />
        </div>
        <FilterFields filters={filters} onChange={change} />
        {isPending && loading}
        {error && !data && (
          <Failed error={error} title={<Trans>Could not load your activity</Trans>} onRetry={() => void refetch()} />
        )}
        {data && entries.length === 0 && <NoEntries filtered={filtered} onShowAll={() => setFilters({})} />}
        {[...Map.groupBy(entries, ({ at }) => dayOf(at))].map(([day, those]) => (
          <Day key={day} day={day} entries={those} />
        ))}
        {hasNextPage && (
          <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Trans>Show older activity</Trans>
          </Button>
        )}
      </div>
    </Measure>
  )
}

interface FilterFieldsProps {
  filters: Filters
  onChange: (changed: Filters) => void
}

function FilterFields({ filters, onChange }: FilterFieldsProps) {
  const { t } = useLingui()
  return (
    <div className="mb-8 grid gap-4 md:grid-cols-3 lg:max-w-text print:hidden">
      <Select
        label={t`Show`}
        value={filters.kind ?? ''}
        onChange={({ target }) => onChange({ kind: (target.value || undefined) as Kind | undefined })}
        options={[
          { value: '', label: t`Everything` },
          ...offered.map((kind) => ({ value: kind, label: translated(actionGroups[kind].label) })),
        ]}
      />
      <DateField
        label={t`From`}
        max={page().today}
        value={filters.fromDate ?? ''}
        onChange={({ target }) => onChange({ fromDate: target.value || undefined })}
      />
      <DateField
        label={t`To`}
        max={page().today}
        value={filters.toDate ?? ''}
        onChange={({ target }) => onChange({ toDate: target.value || undefined })}
      />
    </div>
  )
}

const NoEntries = ({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) => (
  <EmptyState
    icon={History}
    title={filtered ? <Trans>No activity matches these filters</Trans> : <Trans>No activity yet</Trans>}
    action={
      filtered && (
        <Button variant="primary" onClick={onShowAll}>
          <Trans>Show all activity</Trans>
        </Button>
      )
    }
  >
    {filtered ? (
      <Trans>Choose other dates, or show all activity.</Trans>
    ) : (
      <Trans>Sign-ins, payments and account changes appear here.</Trans>
    )}
  </EmptyState>
)

const Day = ({ day, entries }: { day: string; entries: readonly Entry[] }) => (
  <section className="mb-7 lg:max-w-text">
    <h2 className="mb-2 border-line border-b pb-1 text-h3">{formatDate(day)}</h2>
    <ul>
      {entries.map(({ id, at, what, about, by, why }) => (
        <li key={id} className="flex gap-4 border-line border-b py-2.5">
          <time dateTime={at} className="w-20 shrink-0 text-end text-muted tabular-nums">
            {shortTime(at)}
          </time>
          <div className="min-w-0">
            <p>{what}</p>
            {about && <p className="text-sm wrap-anywhere">{about}</p>}
            {by && (
              <p className="text-muted text-sm">
                <Trans>By {by}</Trans>
              </p>
            )}
            {why && <p className="text-muted text-sm wrap-anywhere">{why}</p>}
          </div>
        </li>
      ))}
    </ul>
  </section>
)
