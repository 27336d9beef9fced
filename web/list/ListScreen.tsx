import { type ReactNode, useState } from 'react'
import { type ResponseOf, audiencesOf, type Endpoint } from '../../shared/endpoint.ts'
import { type Column, type List, type RowOf, MAX_ROWS } from '../../shared/list.ts'
import { translated } from '../../shared/messages.ts'
import { download } from '../download.ts'
import { useLive } from '../live.ts'
import { queries } from '../query.ts'
import { may } from '../session.ts'
import type { BulkAction } from '../ui/office/table/bulk.ts'
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

/** Filter values of a list from the URL, by filter name. */
type FilterValues<L extends List> = { readonly [Name in keyof L['filters'] & string]?: string }

/** Customizations of a list by its screen: cells, row actions and surrounding content. */
interface ListScreenProps<L extends List> {
  of: L
  /** Fixed parameters of each call, such as `{ companyId }` on the administrator's screens of one company. */
  about?: ListParameters
  /** Heading level of the title: 1 unless the list is part of another screen. */
  level?: 1 | 2
  /** Returns a row's name for its button labels. */
  rowName: (row: RowOf<L>) => string
  /** Functions that render custom cells, by column. `content` is the default content of the cell, `text` its text. */
  cells?: { [Name in keyof L['columns']]?: (row: RowOf<L>, text: string, content: ReactNode) => ReactNode }
  /** Returns the columns and filters that are hidden because the current filter values make them irrelevant. */
  without?: (filters: FilterValues<L>) => readonly ((keyof L['columns'] | keyof L['filters']) & string)[]
  /** Functions that format the typed text of text filters, such as a phone number. */
  typing?: { [Name in keyof L['filters']]?: (text: string) => string }
  /** Returns the singular and plural noun for the rows under these filters. If null, the list's own nouns are used. */
  nouns?: (filters: FilterValues<L>) => readonly [string, string] | null
  onRows?: (rows: readonly RowOf<L>[]) => void
  actions?: RowHandlers<RowOf<L>>
  onRow?: (row: RowOf<L>) => void
  bulk?: readonly BulkAction<RowOf<L>>[]
  /** Custom filters: those with which people choose a record, and those that only links set. */
  filters?: { [Name in keyof L['filters']]?: OwnFilter }
  /** Event stream. Each event reloads the list. */
  live?: Endpoint
  /** Lines below the totals. `totals` replaces the totals if they are not column sums. */
  rest?: (totals: ResponseOf<L['call']>['totals']) => readonly TableRest[]
  totals?: (totals: ResponseOf<L['call']>['totals']) => readonly TableTotal[]
  /** Links to other views of the list or related screens, next to the title. */
  tabs?: ReactNode
  headActions?: ReactNode
  /** Less frequent buttons, in the menu next to the title. */
  moreActions?: ReactNode
  /** Shown if the list is empty and no filter is set. */
  empty?: ReactNode
  failure?: ReactNode
  /**
   * Row types for the export. Staff must choose one unless a filter already sets the type, because each type has
   * different questions.
   */
  exportEach?: EachType | undefined
  /** Alternative display of the rows, such as a map. */
  layout?: ListLayout<RowOf<L>>
  /** Content above the search and filters. */
  children?: ReactNode | ((steering: ListControls) => ReactNode)
  /** Content below the list. */
  note?: ReactNode
}

/** Filters from the URL, with a function to change them. */
export interface ListControls {
  filters: Readonly<Record<string, string>>
  setFilters: (values: Record<string, string>) => void
}

/** List with search, filters and export, built from the list's declaration. */
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
  // Reloads the list after a reconnect too, because events may have been missed.
  useLive(endpoint, onEvent, onEvent)
  return null
}

function mayCall({ access }: Endpoint): boolean {
  return audiencesOf(access).length > 0 && (!access.privilege || may(...access.privilege))
}
