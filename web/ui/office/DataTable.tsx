import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useTable } from '@tanstack/react-table'
import { Download, Printer } from 'lucide-react'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MAX_GROUPS } from '../../../shared/list.ts'
import { formatCents } from '../../../shared/money.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import { messageOf } from '../../call.ts'
import { keepPreviousOf, queries } from '../../query.ts'
import { Button } from '../Button.tsx'
import { PageHead, SkipLink } from '../Page.tsx'
import { Failed, LoadingState } from '../States.tsx'
import { toast } from '../Toasts.tsx'
import type { ActionableRow } from './table/actions.ts'
import { type BulkAction, BulkBar } from './table/Bulk.tsx'
import { groupRows, type TableColumn, type TableData, type TableRest, type TableTotal } from './table/column.ts'
import { useColumnChoice } from './table/column-choice.ts'
import { features } from './table/features.ts'
import type { FilterField } from './table/fields.ts'
import { useWidth } from './table/fit.ts'
import { NothingFound } from './table/NothingFound.tsx'
import { TableFoot } from './table/Pager.tsx'
import { Gathering, PrintedList, PrintHead, usePrinting } from './table/Printing.tsx'
import type { RowHandlers } from './table/RowActions.tsx'
import { useSelection } from './table/selection.ts'
import type { TableQuestion, TableState } from './table/table-state.ts'
import { TableCards } from './table/TableCards.tsx'
import { TableGrid } from './table/TableGrid.tsx'
import { TableTools } from './table/TableTools.tsx'
import { useNamedPage } from './table/use-named-page.ts'
import { useNarrow } from './table/use-narrow.ts'
import { Text } from '../Text.tsx'

export interface DataTableProps<Row extends ActionableRow, Totals, Filter extends string> {
  /** Storage key of the column choice. */
  name: string
  title: string
  /** The title is the screen's h1, unless the table is part of another screen. */
  level?: 1 | 2
  columns: readonly TableColumn<Row>[]
  state: TableState<Filter>
  /** Query key of the answers: `[endpoint.path]`, so that `reload(endpoint)` refreshes the table. */
  queryKey: readonly unknown[]
  /** `early` receives rows before count and totals are known. */
  load: (
    question: TableQuestion<Filter>,
    signal: AbortSignal | undefined,
    early?: (rows: TableData<Row, Totals>) => void,
  ) => Promise<TableData<Row, Totals>>
  /** Maximum rows that `load` returns in one request, for prints. */
  mostRows?: number
  rowKey: (row: Row) => string | number
  /** Returns a row's name for its button labels: the receipt number, the company's name. */
  rowName: (row: Row) => string
  /** 'payments', for "240 payments", by number. */
  noun: (count: number) => string
  actions?: RowHandlers<Row>
  onRow?: (row: Row) => void
  bulk?: readonly BulkAction<Row>[]
  /** Totals of all matching rows, not of the page. */
  totals?: (totals: Totals) => readonly TableTotal[]
  /** Lines that explain the totals: amounts of rows that are not included. */
  rest?: (totals: Totals) => readonly TableRest[]
  onExport?: (question: TableQuestion<Filter>) => Promise<void>
  /** More buttons next to the title, such as 'Add Company'. */
  headActions?: ReactNode
  views?: ReactNode
  /** Filters that the screen renders, or filters described one by one. */
  filters?: ReactNode
  fields?: readonly FilterField[]
  searchable?: boolean
  searchLabel?: string
  /** Shown if no row matches. */
  empty?: ReactNode
  /** Custom error text if loading fails. */
  failure?: ReactNode
  /** Alternative display of the rows, such as a map. */
  picture?: Picture<Row>
  /** Content above the tools. */
  children?: ReactNode
  /** Explanation below the list. */
  note?: ReactNode
}

/** An alternative to the table display. */
export interface Picture<Row> {
  /** Identifies the display, because each loads different rows. */
  name: string
  /** Maximum rows that it shows. */
  rows: number
  /** Filters that it adds to the reader's own. */
  filters?: Readonly<Record<string, string>>
  draw: (rows: readonly Row[]) => ReactNode
}

/** Default for the maximum rows in one request. */
const MAX_ROWS = 100

const NO_TOTALS = { totals: [], rest: [] }

/** The generic data table (specification 2.19): the server searches, sorts, filters, pages and sums. */
export function DataTable<Row extends ActionableRow, Totals, Filter extends string = never>(
  props: DataTableProps<Row, Totals, Filter>,
) {
  const { title, level = 1, columns, queryKey, rowKey, rowName, noun, actions, onExport, fields } = props
  const naming = { rowKey, rowName, noun }
  const state = props.state as unknown as TableState
  const load = props.load as unknown as (
    question: TableQuestion,
    signal: AbortSignal | undefined,
    early?: (rows: TableData<Row, Totals>) => void,
  ) => Promise<TableData<Row, Totals>>
  const { t } = useLingui()
  const id = useId()
  const narrow = useNarrow()
  const { place, width } = useWidth()
  const [visibility, setVisibility] = useColumnChoice(props.name, columns)
  const by = columns.find((column) => column.id === state.group && column.groupBy)
  const byServer = by?.groupBy === 'server'
  const { picture } = props
  const question: TableQuestion = picture
    ? {
        ...state.question,
        cursor: undefined,
        pageSize: picture.rows,
        filters: { ...state.question.filters, ...picture.filters },
      }
    : byServer
      ? { ...state.question, group: { by: by.id } }
      : state.question

  const onItsWay = useNamedPage(state, queryKey, load)
  const viewKey = [...queryKey, 'table', picture?.name ?? 'rows']
  const tableKey = [...viewKey, question]
  const answer = useQuery(
    {
      queryKey: tableKey,
      queryFn: ({ signal }) => load(question, signal, (early) => void queries.setQueryData(tableKey, early)),
      placeholderData: keepPreviousOf(viewKey),
      enabled: !onItsWay,
    },
    queries,
  )
  const { printing, start, end } = usePrinting(load, state.question, props.mostRows ?? MAX_ROWS)
  const printButton = useRef<HTMLButtonElement>(null)
  const { data } = answer
  const rows = data?.rows ?? []
  const groups = byServer ? (data?.groups ?? null) : null

  const table = useTable({
    features,
    data: rows as Row[],
    columns: useMemo(() => columns.map(({ id: columnId, header }) => ({ id: columnId, header })), [columns]),
    state: { columnVisibility: visibility },
    onColumnVisibilityChange: setVisibility,
  })
  const visibleIds = new Set(table.getVisibleLeafColumns().map((column) => column.id))
  const visible = columns.filter((column) => visibleIds.has(column.id))

  const { cursor: _cursor, pageSize: _pageSize, ...meant } = question
  const chosen = useSelection(rowKey, rows, JSON.stringify(meant))
  const selection = props.bulk && props.bulk.length > 0 ? chosen : null
  const failed = { title: props.failure, onRetry: () => void answer.refetch() }
  const exporting = useBusy(onExport && (() => onExport(question as TableQuestion<Filter>)))
  const Results = narrow ? TableCards : TableGrid
  const totalsOf = (totals: Totals) =>
    totals === null ? NO_TOTALS : { totals: props.totals?.(totals) ?? [], rest: props.rest?.(totals) ?? [] }
  const addUp = useBusy(async () => {
    queries.setQueryData(tableKey, await load({ ...question, addAll: true }, undefined))
  })

  if (printing?.step === 'ready')
    return (
      <PrintedList
        title={title}
        level={level}
        filters={queryTexts(fields, state, t`Search`)}
        columns={visible}
        data={printing.data}
        groups={groups}
        groupedBy={by?.header ?? null}
        rowKey={rowKey}
        noun={noun}
        {...totalsOf(printing.data.totals)}
        onEnd={() => {
          flushSync(end)
          printButton.current?.focus()
        }}
      />
    )
  return (
    <section ref={place} aria-labelledby={`${id}-title`} className="list-screen">
      <PrintHead filters={queryTexts(fields, state, t`Search`)} />
      <SkipLink to={`${id}-results`}>
        <Trans>Skip to results</Trans>
      </SkipLink>
      <Head
        level={level}
        id={`${id}-title`}
        title={title}
        count={
          <p role="status" className="text-muted text-sm">
            {data && data.count !== null && <Counted count={data.count} noun={noun} />}
            {answer.isFetching && <span className="spoken"> {t`Loading`}</span>}
          </p>
        }
        actions={
          <>
            <Text>{props.views}</Text>
            <Button ref={printButton} icon={Printer} onClick={start} busy={printing !== null}>
              <Trans>Print</Trans>
            </Button>
            {onExport && (
              <Button icon={Download} onClick={exporting.run} busy={exporting.busy}>
                <Trans>Export CSV</Trans>
              </Button>
            )}
            <Text>{props.headActions}</Text>
          </>
        }
      />
      <Text>{props.children}</Text>
      <TableTools
        state={state}
        columns={columns}
        table={table}
        asTable={!picture}
        filters={props.filters}
        fields={fields}
        searchable={props.searchable ?? true}
        searchLabel={props.searchLabel}
        width={width}
        narrow={narrow}
      />
      {printing && <Gathering {...printing} />}
      <div id={`${id}-results`} tabIndex={-1} aria-busy={answer.isFetching} className="outline-none">
        {answer.error && !data && <Failed {...failed} error={answer.error} />}
        {answer.isPending && !answer.error && (
          <LoadingState rows={state.question.pageSize}>{t`Loading ${noun(2)}`}</LoadingState>
        )}
        {data && picture && (
          <>
            <Text>{picture.draw(rows)}</Text>
            {(data.count ?? 0) > rows.length && (
              <p className="mt-3 text-muted">
                <Trans>These are the first {rows.length}. Choose fewer by the filters to see the others.</Trans>
              </p>
            )}
          </>
        )}
        <Text>
          {data &&
            !picture &&
            rows.length === 0 &&
            !groups?.length &&
            (props.empty ?? (
              <NothingFound state={state} noun={noun} changed={fields?.filter(({ changed }) => changed) ?? []} />
            ))}
        </Text>
        {data && !picture && (rows.length > 0 || groups?.length) && (
          <>
            {answer.error && <Failed {...failed} error={answer.error} />}
            <Results
              columns={visible}
              room={width}
              groups={
                by && !byServer
                  ? groupRows(
                      rows,
                      by,
                      columns.find((column) => column.cents),
                    )
                  : null
              }
              groupText={({ rows: { length }, cents }) => (
                <>
                  <Trans>
                    {length} {noun(length)} on this page
                  </Trans>
                  <Text>{cents !== null && ` · ${formatCents(cents)}`}</Text>
                </>
              )}
              serverGroups={groups && { groups, question, queryKey, load }}
              rows={rows}
              {...naming}
              handlers={actions}
              selection={selection}
              onRow={props.onRow}
              {...(data.count === null ? NO_TOTALS : totalsOf(data.totals))}
              state={state}
              caption={title}
            />
            {groups && groups.length >= MAX_GROUPS && (
              <p className="mt-3 text-muted">
                <Trans>These are the first {MAX_GROUPS} groups. Choose fewer by the filters to see the others.</Trans>
              </p>
            )}
            {data.count !== null && data.totals === null && (
              <p className="mt-3 flex flex-wrap items-center gap-3 text-muted">
                <Trans>
                  This search finds {COUNT_CAP.toLocaleString('en-US')} or more {noun(COUNT_CAP)}. Their totals take
                  longer.
                </Trans>
                <Button busy={addUp.busy} onClick={addUp.run}>
                  <Trans>Add up all {noun(COUNT_CAP)}</Trans>
                </Button>
              </p>
            )}
            <TableFoot data={data} state={state} />
          </>
        )}
      </div>
      {props.note && <div className="mt-4 max-w-text text-muted text-sm">{props.note}</div>}
      {selection && (
        <BulkBar
          actions={props.bulk ?? []}
          selection={selection}
          {...naming}
          onDone={() => void queries.invalidateQueries({ queryKey })}
        />
      )}
    </section>
  )
}

/** Describes the query in words, for prints. */
const queryTexts = (fields: readonly FilterField[] = [], { question }: TableState, search: string) => [
  ...fields.flatMap(({ label, valueText }) => (valueText === '' ? [] : [{ label, valueText }])),
  ...(question.search ? [{ label: search, valueText: question.search }] : []),
]

interface HeadProps {
  level: 1 | 2
  id: string
  title: string
  count: ReactNode
  actions: ReactNode
}

const Head = ({ level, id, title, count, actions }: HeadProps) => (
  <div className="mb-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
    <div className="flex flex-wrap items-baseline gap-x-3">
      {level === 1 ? (
        <PageHead className="mb-0!" title={<span id={id}>{title}</span>} />
      ) : (
        <h2 id={id} className="text-h3">
          {title}
        </h2>
      )}
      <Text>{count}</Text>
    </div>
    <div className="flex flex-wrap gap-2">{actions}</div>
  </div>
)

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

/** Runs slow work once at a time, and reports a failure. */
function useBusy(work: (() => Promise<void>) | undefined) {
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    work?.()
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
