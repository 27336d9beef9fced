import { type ReactNode, useState } from 'react'
import { type ResponseOf, audiencesOf, type Endpoint } from '../../shared/endpoint.ts'
import { type Column, type List, type RowOf, MAX_ROWS } from '../../shared/list.ts'
import { translated } from '../../shared/messages.ts'
import { download } from '../download.ts'
import { useLive } from '../live.ts'
import { queries } from '../query.ts'
import { may } from '../session.ts'
import type { BulkAction } from '../ui/office/table/Bulk.tsx'
import type { TableData, TableRest, TableTotal } from '../ui/office/table/column.ts'
import type { RowHandlers } from '../ui/office/table/RowActions.tsx'
import { DataTable } from '../ui/office/DataTable.tsx'
import type { ListLayout } from '../ui/office/table/props.ts'
import { type TableQuestion, useTableState } from '../ui/office/table/table-state.ts'
import { type Cells, columnsOf, totalsOf } from './columns.tsx'
import { useDaysField, withDays } from './DaysFilter.tsx'
import { type EachType, ExportEach } from './ExportEach.tsx'
import { fieldsOf, type OwnFilter, usualFilters } from './Filters.tsx'
import { type ListParameters, requestBodyOf, loadList } from './load.ts'
import { SavedViews } from './SavedViews.tsx'

/** Values of a list's filters in the URL, by name. */
type FilterValues<L extends List> = { readonly [Name in keyof L['filters'] & string]?: string }

/** A screen's changes to a list: cells, row actions and surrounding content. */
interface ListScreenProps<L extends List> {
  of: L
  /** Fixed parameters of each call: `{ companyId }` on the administrator's screens of one company. */
  about?: ListParameters
  /** The title is the screen's h1, unless the list is part of another screen. */
  level?: 1 | 2
  /** Returns a row's name for its button labels. */
  rowName: (row: RowOf<L>) => string
  /** Custom cells. `text` is the default text. */
  cells?: { [Name in keyof L['columns']]?: (row: RowOf<L>, text: string) => ReactNode }
  /** Returns columns and filters that are irrelevant under these filters. */
  without?: (filters: FilterValues<L>) => readonly ((keyof L['columns'] | keyof L['filters']) & string)[]
  /** Formats typed text of a text filter, such as a phone number. */
  typing?: { [Name in keyof L['filters']]?: (text: string) => string }
  /** Returns the nouns for rows under these filters. Null uses the list's own. */
  nouns?: (filters: FilterValues<L>) => readonly [string, string] | null
  onRows?: (rows: readonly RowOf<L>[]) => void
  actions?: RowHandlers<RowOf<L>>
  onRow?: (row: RowOf<L>) => void
  bulk?: readonly BulkAction<RowOf<L>>[]
  /** Filters for a choice of records, and filters set by links. */
  filters?: { [Name in keyof L['filters']]?: OwnFilter }
  /** Event stream that reloads the list. */
  live?: Endpoint
  /** Lines below the totals, and the totals themselves if they are not column sums. */
  rest?: (totals: ResponseOf<L['call']>['totals']) => readonly TableRest[]
  totals?: (totals: ResponseOf<L['call']>['totals']) => readonly TableTotal[]
  headActions?: ReactNode
  /** Shown if the list is empty even without filters. */
  empty?: ReactNode
  failure?: ReactNode
  /**
   * Types for the export. Staff must choose one unless a filter sets it, because rows of different types have different
   * answers.
   */
  exportEach?: EachType | undefined
  /** Alternative display of the rows, such as a map. */
  layout?: ListLayout<RowOf<L>>
  /** Content above the tools. */
  children?: ReactNode | ((steering: ListControls) => ReactNode)
  /** Content below the list. */
  note?: ReactNode
}

/** The filters from the URL, with functions to change them. */
export interface ListControls {
  filters: Readonly<Record<string, string>>
  setFilters: (values: Record<string, string>) => void
}

/** A list with its own screen, built from its declaration. */
export function ListScreen<L extends List>(props: ListScreenProps<L>) {
  const { of: list, about = {}, cells, filters: own = {}, children, live, totals, bulk, ...more } = props
  const { without, typing = {}, nouns, onRows, empty, exportEach, ...rest } = more
  const [exporting, setExporting] = useState<TableQuestion | null>(null)
  type ListRow = RowOf<L>
  const state = useTableState<string>({
    sort: list.usualSort,
    direction: (list.columns[list.usualSort] as Column | undefined)?.sort ?? 'desc',
    filters: usualFilters(list),
  })
  const { setFilters } = state
  const left: readonly string[] = without?.(state.question.filters as FilterValues<L>) ?? []
  const filterEntries = Object.entries(withDays(list, state.question.filters))
  const filters = Object.fromEntries(filterEntries.map(([name, value]) => [name, left.includes(name) ? '' : value]))
  const fields = [
    ...useDaysField(list, state.question.filters, setFilters),
    ...fieldsOf(list, own as Record<string, OwnFilter>, typing, filters, setFilters).filter(
      ({ id }) => !left.includes(id),
    ),
  ]
  const isUnfiltered = state.question.search === '' && fields.every(({ changed }) => !changed)
  const queryKey = [list.path, about]
  const mayExport = list.csv && mayCall(list.csv.call)
  const save = (question: TableQuestion) =>
    download(list.csv?.call as never, requestBodyOf(list, about, question) as never)
  return (
    <>
      {live && <Live endpoint={live} onEvent={() => void queries.invalidateQueries({ queryKey: [list.path] })} />}
      <DataTable<ListRow, ResponseOf<L['call']>['totals'], string>
        name={list.path}
        title={translated(list.title)}
        state={{ ...state, question: { ...state.question, filters } }}
        queryKey={queryKey}
        load={async (question, signal, early) => {
          const toTable = (page: TableData<ListRow, ResponseOf<L['call']>['totals']>) => {
            onRows?.(page.rows)
            return page as never
          }
          return toTable(
            await loadList<ListRow>(list, about, question, signal, early && ((page) => early(toTable(page)))),
          )
        }}
        maxRows={MAX_ROWS}
        columns={columnsOf<ListRow>(list, cells as Cells | undefined).filter(({ id }) => !left.includes(id))}
        rowKey={({ id }) => id}
        noun={(count) => translated((nouns?.(filters as FilterValues<L>) ?? list.nouns)[count === 1 ? 0 : 1])}
        searchable={list.search !== undefined}
        {...(list.search !== undefined && { searchLabel: translated(list.search) })}
        totals={totals ?? ((sums) => totalsOf(list, sums as Record<string, number> | null))}
        {...(mayExport && {
          onExport: async (question: TableQuestion) =>
            exportEach && !question.filters[exportEach.filter] ? setExporting(question) : save(question),
        })}
        {...(fields.length > 0 && { fields })}
        {...(bulk && { bulk })}
        views={<SavedViews list={list.path} filters={Object.keys(state.question.filters)} />}
        {...(isUnfiltered && { empty })}
        {...rest}
      >
        {typeof children === 'function' ? children({ filters, setFilters }) : children}
      </DataTable>
      {exporting && exportEach && (
        <ExportEach
          {...exportEach}
          onExport={(type) =>
            save(
              type === null
                ? exporting
                : { ...exporting, filters: { ...exporting.filters, [exportEach.filter]: String(type) } },
            )
          }
          onClose={() => setExporting(null)}
        />
      )}
    </>
  )
}

function Live({ endpoint, onEvent }: { endpoint: Endpoint; onEvent: () => void }) {
  // A reconnect also reloads, because events may have been missed.
  useLive(endpoint, onEvent, onEvent)
  return null
}

function mayCall({ access }: Endpoint): boolean {
  return audiencesOf(access).length > 0 && (!access.privilege || may(...access.privilege))
}
