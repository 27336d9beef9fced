import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTable } from '@tanstack/react-table'
import { Download, Printer } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatCents } from '../../../shared/money.ts'
import { COUNT_CAP, PAGE_SIZE } from '../../../shared/table.ts'
import { sentenceOf } from '../../call.ts'
import { queries } from '../../query.ts'
import { Button } from '../Button.tsx'
import { PageHead, Pagination, SkipLink } from '../Page.tsx'
import { EmptyState, Failed, LoadingState } from '../States.tsx'
import { toast } from '../Toasts.tsx'
import type { ActionableRow } from './table/actions.ts'
import { groupRows, type TableColumn, type TableData, type TableRest, type TableTotal } from './table/column.ts'
import { useColumnChoice } from './table/column-choice.ts'
import { features } from './table/features.ts'
import type { RowHandlers } from './table/RowActions.tsx'
import type { TableQuestion, TableState } from './table/table-state.ts'
import { TableCards } from './table/TableCards.tsx'
import { TableGrid } from './table/TableGrid.tsx'
import { TableTools } from './table/TableTools.tsx'
import { useNamedPage } from './table/use-named-page.ts'
import { useNarrow } from './table/use-narrow.ts'

interface DataTableProps<Row extends ActionableRow, Totals, Filter extends string> {
  /** Under this name the choice of columns is remembered. */
  name: string
  title: string
  /** The title is the screen's h1, unless it stands within one. */
  level?: 1 | 2
  columns: readonly TableColumn<Row>[]
  state: TableState<Filter>
  /** Where the answers are cached: `[endpoint.path]`, so that `reload(endpoint)` refreshes the table. */
  queryKey: readonly unknown[]
  load: (question: TableQuestion<Filter>, signal: AbortSignal | undefined) => Promise<TableData<Row, Totals>>
  rowKey: (row: Row) => string | number
  /** Names a row in the labels of its buttons: the receipt's number, the company's name. */
  rowName: (row: Row) => string
  /** 'payments', for "240 payments", by number. */
  noun: (count: number) => string
  actions?: RowHandlers<Row>
  onRow?: (row: Row) => void
  /** The totals of all rows that match, not of the page. */
  totals?: (totals: Totals) => readonly TableTotal[]
  /** What explains the totals: the rows' amounts that are not in them. */
  rest?: (totals: Totals) => readonly TableRest[]
  onExport?: (question: TableQuestion<Filter>) => Promise<void>
  /** Further buttons at the title, such as 'Add Company'. */
  headActions?: ReactNode
  filters?: ReactNode
  searchable?: boolean
  searchLabel?: string
  /** When nothing matches. */
  empty?: ReactNode
  /** What happened when it could not be loaded, where that has words of its own. */
  failure?: ReactNode
  children?: ReactNode
}

/** How many rows a printed list holds: the most that a call answers at once. */
const PRINTED_ROWS = 100

/** The generic data table (specification 2.19): the server searches, sorts, filters, pages and sums. */
export function DataTable<Row extends ActionableRow, Totals, Filter extends string = never>(
  props: DataTableProps<Row, Totals, Filter>,
) {
  const {
    name,
    title,
    level = 1,
    columns,
    state,
    queryKey,
    load,
    rowKey,
    rowName,
    noun,
    actions,
    onRow,
    onExport,
  } = props
  const { t } = useLingui()
  const id = useId()
  const narrow = useNarrow()
  const [visibility, setVisibility] = useColumnChoice(name, columns)
  const { question, group, page } = state

  const onItsWay = useNamedPage(state, queryKey, load)
  const answer = useQuery(
    {
      queryKey: [...queryKey, 'table', question],
      queryFn: ({ signal }) => load(question, signal),
      placeholderData: keepPreviousData,
      enabled: !onItsWay,
    },
    queries,
  )
  const { printed, print, printing } = usePrint(() =>
    load({ ...question, cursor: undefined, pageSize: PRINTED_ROWS }, undefined),
  )
  const data = printed ?? answer.data
  const rows = data?.rows ?? []

  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const table = useTable({
    features,
    data: rows as Row[],
    columns: useMemo(() => columns.map(({ id: columnId, header }) => ({ id: columnId, header })), [columns]),
    state: { columnVisibility: visibility },
    onColumnVisibilityChange: setVisibility,
  })

  const by = columns.find((column) => column.id === group && column.groupBy)
  const summed = columns.find((column) => column.cents)
  const groups = by ? groupRows(rows, by, summed) : null
  const failed = { title: props.failure, onRetry: () => void answer.refetch() }
  const exporting = useBusy(onExport && (() => onExport(question)))
  const Results = narrow && !printed ? TableCards : TableGrid

  return (
    <section aria-labelledby={`${id}-title`}>
      <SkipLink to={`${id}-results`}>
        <Trans>Skip to results</Trans>
      </SkipLink>
      <Head
        level={level}
        id={`${id}-title`}
        title={title}
        actions={
          <>
            <Button icon={Printer} onClick={print} busy={printing}>
              <Trans>Print</Trans>
            </Button>
            {onExport && (
              <Button icon={Download} onClick={exporting.run} busy={exporting.busy}>
                <Trans>Export CSV</Trans>
              </Button>
            )}
            {props.headActions}
          </>
        }
      />
      {props.children}
      <TableTools
        state={state as unknown as TableState}
        columns={columns}
        table={table}
        filters={props.filters}
        searchable={props.searchable ?? true}
        searchLabel={props.searchLabel}
      />
      <div id={`${id}-results`} tabIndex={-1} aria-busy={answer.isFetching} className="outline-none">
        <p role="status" className="mb-3 text-muted text-sm">
          {data && <Counted count={data.count} noun={noun} />}
          {printed && printed.count > printed.rows.length && (
            <Trans> (the first {printed.rows.length} are printed)</Trans>
          )}
          {answer.isFetching && <span className="spoken"> {t`Loading`}</span>}
        </p>
        {answer.error && !data && <Failed {...failed} error={answer.error} />}
        {answer.isPending && !answer.error && <LoadingState rows={PAGE_SIZE}>{t`Loading ${noun(2)}`}</LoadingState>}
        {data &&
          rows.length === 0 &&
          (props.empty ?? (
            <NothingFound state={state as unknown as TableState} noun={noun} filtered={props.filters !== undefined} />
          ))}
        {data && rows.length > 0 && (
          <>
            {answer.error && <Failed {...failed} error={answer.error} />}
            <Results
              table={table}
              columns={byId}
              groups={groups}
              groupWords={({ rows: { length }, cents }) => (
                <>
                  <Trans>
                    {length} {noun(length)} on this page
                  </Trans>
                  {cents !== null && ` · ${formatCents(cents)}`}
                </>
              )}
              rows={rows}
              rowKey={rowKey}
              rowName={rowName}
              handlers={actions}
              onRow={onRow}
              totals={props.totals?.(data.totals) ?? []}
              rest={props.rest?.(data.totals) ?? []}
              state={state as unknown as TableState}
              caption={title}
            />
            <Pager data={data} page={page} turn={state.turn} />
          </>
        )}
      </div>
    </section>
  )
}

function Head({ level, id, title, actions }: { level: 1 | 2; id: string; title: string; actions: ReactNode }) {
  if (level === 1) return <PageHead title={<span id={id}>{title}</span>} actions={actions} />
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
      <h2 id={id}>{title}</h2>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </div>
  )
}

const Counted = ({ count, noun }: { count: number; noun: (count: number) => string }) =>
  count >= COUNT_CAP ? (
    <Trans>
      {COUNT_CAP.toLocaleString('en-US')} or more {noun(count)}
    </Trans>
  ) : (
    <Trans>
      {count.toLocaleString('en-US')} {noun(count)}
    </Trans>
  )

function Pager({ data, page, turn }: { data: TableData<unknown>; page: number; turn: TableState['turn'] }) {
  const capped = data.count >= COUNT_CAP
  const pages = Math.max(1, Math.ceil(data.count / PAGE_SIZE), capped ? page : 1)
  if (!data.next && !data.previous) return null
  return (
    <div className="mt-3">
      <Pagination
        onPrevious={data.previous ? () => turn(page <= 2 ? null : data.previous, page - 1) : null}
        onNext={data.next ? () => turn(data.next, page + 1) : null}
      >
        {capped ? (
          <Trans>
            Page {page} of {pages} or more
          </Trans>
        ) : (
          <Trans>
            Page {Math.min(page, pages)} of {pages}
          </Trans>
        )}
      </Pagination>
    </div>
  )
}

interface NothingFoundProps {
  state: TableState
  noun: (count: number) => string
  /** The list can be narrowed by more than a search. */
  filtered: boolean
}

/** Advises on what the list has: a search, filters, a range of days, or none of them. */
function NothingFound({ state, noun, filtered }: NothingFoundProps) {
  const { t } = useLingui()
  const names = noun(0)
  const dated = Object.keys(state.question.filters).some((name) => /^from|Date$/i.test(name))
  return (
    <EmptyState
      title={t`No ${names} here`}
      action={
        state.question.search && (
          <Button onClick={() => state.setSearch('')}>
            <Trans>Clear the search</Trans>
          </Button>
        )
      }
    >
      {state.question.search ? (
        filtered ? (
          <Trans>Nothing matches this search and these filters. Check the spelling, or search for less.</Trans>
        ) : (
          <Trans>Nothing matches this search. Check the spelling, or search for less.</Trans>
        )
      ) : dated ? (
        <Trans>Nothing matches these filters. Take one away, or widen the dates.</Trans>
      ) : filtered ? (
        <Trans>Nothing matches these filters. Take one away.</Trans>
      ) : (
        <Trans>They appear here as soon as there are any.</Trans>
      )}
    </EmptyState>
  )
}

/** Does something slow once at a time, and says so where it fails. */
function useBusy(work: (() => Promise<void>) | undefined) {
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    work?.()
      .catch((error: unknown) => toast(sentenceOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return { busy, run }
}

/** Prints the list from its start, not just the page on show. */
function usePrint<Data>(load: () => Promise<Data>) {
  const [printed, setPrinted] = useState<Data | null>(null)
  const { busy, run } = useBusy(async () => {
    const data = await load()
    flushSync(() => setPrinted(data))
    globalThis.print()
    setPrinted(null)
  })
  return { printed, print: run, printing: busy }
}
