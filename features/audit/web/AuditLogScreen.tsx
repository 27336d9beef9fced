import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { addDays } from '../../../shared/dates.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { exactInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Facts } from '../../../web/ui/Card.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import { DateRange } from '../../../web/ui/office/DateRange.tsx'
import type { TableColumn, TableData } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, type TableState, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { auditCsv, auditLog } from '../contract.ts'
import { type Kind, kindNames, kinds } from '../rules.ts'

type Event = AnswerOf<typeof auditLog>['rows'][number]
export type Filter = 'kind' | 'fromDate' | 'toDate'

const USUAL_DAYS = 30

/** What a call is asked. */
export const asked = ({ search, direction, cursor, pageSize, filters }: TableQuestion<Filter>) => ({
  ...{ search, direction, cursor, pageSize },
  filters: {
    kind: (kindNames as string[]).includes(filters.kind) ? (filters.kind as Kind) : undefined,
    fromDate: filters.fromDate || undefined,
    toDate: filters.toDate || undefined,
  },
})

/** Everything that was done in the town, and what was refused; written once and never changed. */
export default function AuditLogScreen() {
  const state = useTableState<Filter>(start)
  return (
    <AuditLog
      state={state}
      load={(question, signal) => call(auditLog, asked(question), signal && { signal })}
      onExport={(question) => download(auditCsv, asked(question))}
    />
  )
}

/** What a log shows when it is opened. */
export const start = {
  sort: 'date',
  direction: 'desc',
  filters: { kind: '', fromDate: addDays(boot.today, -USUAL_DAYS), toDate: boot.today },
} as const

interface Props<More extends string> {
  state: TableState<Filter | More>
  load: (question: TableQuestion<Filter | More>, signal?: AbortSignal) => Promise<TableData<Event>>
  onExport: (question: TableQuestion<Filter | More>) => Promise<void>
  /** Filters before the usual ones. */
  before?: React.ReactNode
}

export function AuditLog<More extends string>({ state, load, onExport, before }: Props<More>) {
  const { t } = useLingui()
  const columns = useColumns()
  const [open, setOpen] = useState<Event | null>(null)
  return (
    <>
      <DataTable
        name="audit-log"
        title={t`Audit Log`}
        state={state}
        queryKey={[auditLog.path]}
        load={load}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ what }) => what}
        noun={(n) => (n === 1 ? t`record` : t`records`)}
        searchLabel={t`Email of a person`}
        actions={{ view: setOpen }}
        onRow={setOpen}
        onExport={onExport}
        filters={
          <>
            {before}
            <Filters filters={state.question.filters} onChange={state.setFilters as FiltersProps['onChange']} />
          </>
        }
      />
      {open && <EventSlideOut event={open} onClose={() => setOpen(null)} />}
    </>
  )
}

interface FiltersProps {
  filters: Record<Filter, string>
  onChange: (changed: Partial<Record<Filter, string>>) => void
}

function Filters({ filters: { kind, fromDate, toDate }, onChange }: FiltersProps) {
  const { t } = useLingui()
  return (
    <>
      <DateRange
        className="sm:max-md:col-span-2"
        label={<Trans>Date range</Trans>}
        from={fromDate}
        to={toDate}
        onChange={({ from, to }) => onChange({ fromDate: from, toDate: to })}
      />
      <Select
        label={<Trans>Kind</Trans>}
        value={kind}
        onChange={({ target }) => onChange({ kind: target.value })}
        className="md:min-w-56"
        options={[
          { value: '', label: t`All kinds` },
          ...kindNames.map((name) => ({ value: name, label: kinds[name].label })),
        ]}
      />
    </>
  )
}

function useColumns(): readonly TableColumn<Event>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'date', header: t`Time`, sort: 'date', sortFirst: 'desc', cell: ({ at }) => exactInstant(at) },
      {
        id: 'what',
        header: t`What`,
        primary: true,
        cell: ({ what }) => <span className="inline-block min-w-40 whitespace-normal">{what}</span>,
      },
      {
        id: 'who',
        header: t`Who`,
        cell: ({ who, impersonator }) =>
          impersonator ? (
            <Trans>
              {impersonator} as {who}
            </Trans>
          ) : (
            who
          ),
      },
      { id: 'about', header: t`About`, cell: ({ about }) => <span className="wrap-anywhere">{about}</span> },
      {
        id: 'sealed',
        header: t`Sealed`,
        hidden: true,
        cell: ({ sealed }) => (
          <StatusBadge kind={sealed ? 'good' : 'waiting'}>{sealed ? t`Sealed` : t`Within a minute`}</StatusBadge>
        ),
      },
    ],
    [t],
  )
}

function EventSlideOut({ event, onClose }: { event: Event; onClose: () => void }) {
  const { t } = useLingui()
  const facts: [React.ReactNode, React.ReactNode][] = [
    [t`Time`, exactInstant(event.at)],
    [t`Who`, event.who],
    ...(event.impersonator ? [[t`Impersonated by`, event.impersonator] as [string, string]] : []),
    ...(event.about ? [[t`About`, event.about] as [string, string]] : []),
    [t`Action`, event.action],
    [t`Number`, String(event.id)],
    [t`Sealed`, event.sealed ? t`Yes` : t`Within a minute`],
    ...event.detail.map(({ name, value }) => [name, value] as [string, string]),
  ]
  return (
    <SlideOut
      title={event.what}
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <Facts className="text-table" facts={facts} />
    </SlideOut>
  )
}
