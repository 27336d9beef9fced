import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { addDays } from '../../../shared/dates.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import { DateRange } from '../../../web/ui/office/DateRange.tsx'
import type { ActionableRow } from '../../../web/ui/office/table/actions.ts'
import type { TableColumn, TableData } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, type TableState, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { loginReport, loginReportCsv, outcomes } from '../contract.ts'

type SignIn = AnswerOf<typeof loginReport>['rows'][number] & ActionableRow
type Question = TableQuestion<Filter>
type Filter = 'fromDate' | 'toDate' | 'outcome' | 'personId'

/** The usual range of the back office's reports (specification 2.18). */
const USUAL_DAYS = 30

const asked = ({ search, direction, cursor, pageSize, filters }: Question) => ({
  ...{ search, direction, cursor, pageSize, sort: 'date' as const },
  filters: {
    fromDate: filters.fromDate || undefined,
    toDate: filters.toDate || undefined,
    outcome: filters.outcome in outcomes ? (filters.outcome as keyof typeof outcomes) : undefined,
    personId: /^\d{1,15}$/.test(filters.personId) ? Number(filters.personId) : undefined,
  },
})

const load = (question: Question, signal: AbortSignal | undefined): Promise<TableData<SignIn>> =>
  call(loginReport, asked(question), signal && { signal })

/** Who signed in, how and from where, and what was refused (specification 2.3). */
export default function LoginReportScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({
    sort: 'date',
    filters: { fromDate: addDays(boot.today, -USUAL_DAYS), toDate: boot.today, outcome: '', personId: '' },
  })
  const columns = useColumns()
  const { personId } = state.question.filters
  return (
    <DataTable
      name="sign-ins"
      title={t`Login Report`}
      state={state}
      queryKey={[loginReport.path]}
      load={load}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name, at }) => `${name || t`Unknown email`}, ${shortInstant(at)}`}
      noun={(n) => (n === 1 ? t`sign-in` : t`sign-ins`)}
      searchLabel={t`Name or email`}
      {...(may('reports_management', 'create') && {
        onExport: (question: Question) => download(loginReportCsv, asked(question)),
      })}
      filters={<Filters state={state} />}
    >
      {personId && (
        <Notice className="mb-4">
          <span className="flex flex-wrap items-center justify-between gap-3">
            <Trans>These are the sign-ins of one person.</Trans>
            <Button size="small" onClick={() => state.setFilters({ personId: '' })}>
              <Trans>Show everybody's</Trans>
            </Button>
          </span>
        </Notice>
      )}
    </DataTable>
  )
}

function Filters({ state: { question, setFilters } }: { state: TableState<Filter> }) {
  const { t } = useLingui()
  const { fromDate, toDate, outcome } = question.filters
  return (
    <>
      <DateRange
        className="sm:max-md:col-span-2"
        label={<Trans>Date range</Trans>}
        from={fromDate}
        to={toDate}
        onChange={({ from, to }) => setFilters({ fromDate: from, toDate: to })}
      />
      <Select
        className="md:min-w-40"
        label={<Trans>Outcome</Trans>}
        value={outcome}
        onChange={({ target }) => setFilters({ outcome: target.value })}
        options={[
          { value: '', label: t`All outcomes` },
          ...Object.entries(outcomes).map(([value, label]) => ({ value, label })),
        ]}
      />
    </>
  )
}

function useColumns(): readonly TableColumn<SignIn>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        ...{ id: 'date', header: t`Date`, sort: 'date', sortFirst: 'desc' as const },
        cell: ({ at }: SignIn) => <time dateTime={at}>{shortInstant(at)}</time>,
      },
      {
        ...{ id: 'name', header: t`Person`, primary: true },
        cell: ({ name }: SignIn) => name || <span className="font-normal text-muted">{t`Unknown email`}</span>,
      },
      { id: 'email', header: t`Email`, hidden: true, cell: ({ email }) => email || '–' },
      { id: 'role', header: t`Role`, groupBy: ({ role }) => role || t`Unknown email`, cell: ({ role }) => role || '–' },
      {
        ...{ id: 'outcome', header: t`Outcome`, groupBy: ({ outcome }: SignIn) => outcomes[outcome] },
        cell: ({ outcome, reason }: SignIn) => (
          <span className="inline-flex flex-col items-start gap-1">
            <StatusBadge kind={outcome === 'accepted' ? 'good' : 'bad'}>{outcomes[outcome]}</StatusBadge>
            {reason && <span className="text-sm">{reason}</span>}
          </span>
        ),
      },
      { id: 'how', header: t`How`, hidden: true, cell: ({ how }) => how || '–' },
      { id: 'address', header: t`Address`, cell: ({ address }) => address || '–' },
      { id: 'device', header: t`Device`, cell: ({ device }) => device || '–' },
    ],
    [t],
  )
}
