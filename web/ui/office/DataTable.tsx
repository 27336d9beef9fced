import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { queries } from '../../query.ts'
import { SkipLink } from '../Page.tsx'
import type { ActionableRow } from './table/actions.ts'
import type { FilterField } from './table/fields.ts'
import { useWidth } from './table/fit.ts'
import { Gathering, PrintedList, PrintHead, usePrinting } from './table/Printing.tsx'
import { type Selection, useSelection } from './table/selection.ts'
import type { TableQuestion, TableState } from './table/table-state.ts'
import { TableCards } from './table/TableCards.tsx'
import { TableGrid } from './table/TableGrid.tsx'
import { TableTools } from './table/TableTools.tsx'
import { useNarrow } from './table/use-narrow.ts'
import { Text } from '../Text.tsx'
import type { DataTableProps, LoadTable } from './table/props.ts'
import { useTableResponse } from './table/use-table-response.ts'
import { NO_TOTALS, TableResults } from './table/TableResults.tsx'
import { useRowChoices } from './table/use-row-choices.ts'
import { useVisibleColumns } from './table/use-visible-columns.ts'
import { Head } from './table/Head.tsx'

/** Parts that most lists do not show at first. */
const KeyHelp = lazy(() => import('./table/KeyHelp.tsx'))
const BulkBar = lazy(() => import('./table/BulkBar.tsx')) as unknown as typeof import('./table/BulkBar.tsx').default

/** Default maximum number of rows in one request. */
const MAX_ROWS = 100

/** The generic data table (spec 2.19): the server searches, sorts, filters, pages and sums. */
export function DataTable<Row extends ActionableRow, Totals, Filter extends string = never>(
  props: DataTableProps<Row, Totals, Filter>,
) {
  const { title, level = 1, columns, queryKey, rowKey, noun, onExport, fields } = props
  const state = props.state as unknown as TableState
  const load = props.load as unknown as LoadTable<Row, Totals>
  const { t } = useLingui()
  const id = useId()
  const narrow = useNarrow()
  const { container, width } = useWidth()
  const response = useTableResponse({ columns, state, queryKey, load, layout: props.layout })
  const { rows, question } = response
  const { table, visible } = useVisibleColumns(props.name, columns, rows)
  const { printing, start, end } = usePrinting(load, state.question, props.maxRows ?? MAX_ROWS)
  const choices = useRowChoices()
  const moreButton = useRef<HTMLButtonElement>(null)

  const chosen = useSelection(rowKey, rows, criteriaOf(question))
  const selection = props.bulk && props.bulk.length > 0 ? chosen : null
  const totalsOf = (totals: Totals | null) =>
    totals === null ? NO_TOTALS : { totals: props.totals?.(totals) ?? [], rest: props.rest?.(totals) ?? [] }
  const filterTexts = queryTexts(fields, state, t`Search`)

  if (printing?.step === 'ready')
    return (
      <PrintedList
        title={title}
        level={level}
        filters={filterTexts}
        columns={visible}
        data={printing.data}
        groups={response.groups}
        groupedBy={response.groupColumn?.header ?? null}
        rowKey={rowKey}
        noun={noun}
        {...totalsOf(printing.data.totals)}
        onEnd={() => {
          flushSync(end)
          moreButton.current?.focus()
        }}
      />
    )
  return (
    <section ref={container} aria-label={title} className="list-screen">
      <PrintHead filters={filterTexts} />
      <SkipLink to={`${id}-results`}>
        <Trans>Skip to results</Trans>
      </SkipLink>
      <Head
        {...props}
        response={response}
        isPrinting={printing !== null}
        moreButton={moreButton}
        table={table}
        asTable={!props.layout}
        choices={choices}
        onPrint={start}
        onExport={onExport && (() => onExport(question as TableQuestion<Filter>))}
      />
      <Text>{props.children}</Text>
      <TableTools
        state={state}
        columns={columns}
        asTable={!props.layout}
        filters={props.filters}
        fields={fields}
        searchable={props.searchable ?? true}
        searchLabel={props.searchLabel}
        width={width}
        narrow={narrow}
      />
      {printing && <Gathering {...printing} />}
      <TableResults
        {...props}
        id={`${id}-results`}
        response={response}
        state={state}
        load={load}
        visible={visible}
        choices={choices}
        room={width}
        Results={narrow ? TableCards : TableGrid}
        selection={selection}
        totalsOf={totalsOf}
      />
      {props.note && <div className="mt-4 max-w-text text-muted text-sm">{props.note}</div>}
      {choices.helping && (
        <Suspense>
          <KeyHelp onClose={() => choices.setHelping(false)} />
        </Suspense>
      )}
      {selection && <SelectedRows {...{ ...props, selection, queryKey }} />}
    </section>
  )
}

type SelectedRowsProps<Row extends ActionableRow> = Pick<
  DataTableProps<Row, never, never>,
  'bulk' | 'rowKey' | 'rowName' | 'noun' | 'queryKey'
> & { selection: Selection<Row> }

/** Bar with the actions on the selected rows. */
const SelectedRows = <Row extends ActionableRow>({ bulk = [], queryKey, ...bar }: SelectedRowsProps<Row>) => (
  <Suspense>
    <BulkBar {...bar} actions={bulk} onDone={() => void queries.invalidateQueries({ queryKey })} />
  </Suspense>
)

/** Returns the question without its page, because another page keeps the selection. */
const criteriaOf = ({ cursor: _cursor, pageSize: _pageSize, ...criteria }: TableQuestion) => JSON.stringify(criteria)

/** Returns labels that describe the query, for prints. */
const queryTexts = (fields: readonly FilterField[] = [], { question }: TableState, search: string) => [
  ...fields.flatMap(({ label, valueText }) => (valueText === '' ? [] : [{ label, valueText }])),
  ...(question.search ? [{ label: search, valueText: question.search }] : []),
]
