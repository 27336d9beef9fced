import { type ReactNode, useState } from 'react'
import { type ResponseOf, audiencesOf, type Endpoint } from '../../shared/endpoint.ts'
import type { Column, List, RowOf } from '../../shared/list.ts'
import { MAX_ROWS } from '../../shared/list.ts'
import { translated } from '../../shared/words.ts'
import { download } from '../download.ts'
import { useLive } from '../live.ts'
import { queries } from '../query.ts'
import { may } from '../session.ts'
import type { BulkAction } from '../ui/office/table/Bulk.tsx'
import type { TableData, TableRest, TableTotal } from '../ui/office/table/column.ts'
import type { RowHandlers } from '../ui/office/table/RowActions.tsx'
import { DataTable, type Picture } from '../ui/office/DataTable.tsx'
import { type TableQuestion, useTableState } from '../ui/office/table/table-state.ts'
import { type Cells, columnsOf, totalsOf } from './columns.tsx'
import { useDaysField, withDays } from './DaysFilter.tsx'
import { type EachType, ExportEach } from './ExportEach.tsx'
import { fieldsOf, type OwnFilter, usualFilters } from './Filters.tsx'
import { type ListParameters, asked, loadList } from './load.ts'
import { SavedViews } from './SavedViews.tsx'

/** What a screen may change of a list: how a cell looks, what is done with rows, what stands around them. */
interface ListScreenProps<L extends List> {
  of: L
  /** What goes into the body of each call: `{ companyId }` on the administrator's screens of one town. */
  about?: ListParameters
  /** The title is the screen's h1, unless it stands within one. */
  level?: 1 | 2
  /** Names a row in the labels of its buttons. */
  rowName: (row: RowOf<L>) => string
  /** A cell that is more than its text. `text` is that text. */
  cells?: { [Name in keyof L['columns']]?: (row: RowOf<L>, text: string) => ReactNode }
  /** Columns and filters that these filters leave without meaning. */
  without?: (filters: Readonly<Record<string, string>>) => readonly string[]
  /** How what is typed into a text filter is written, such as a phone number. */
  typing?: { [Name in keyof L['filters']]?: (text: string) => string }
  /** What rows are called under these filters; null: as the list says. */
  nouns?: (filters: Readonly<Record<string, string>>) => readonly [string, string] | null
  /** Wants to be told which rows came from the server. */
  onRows?: (rows: readonly RowOf<L>[]) => void
  actions?: RowHandlers<RowOf<L>>
  onRow?: (row: RowOf<L>) => void
  /** What can be done to several rows at once. */
  bulk?: readonly BulkAction<RowOf<L>>[]
  /** Filters among things with an id, and those that links set. */
  filters?: { [Name in keyof L['filters']]?: OwnFilter }
  /** Tells of changes: the list is asked anew with each. */
  live?: Endpoint
  /** The lines under its totals, and the totals themselves where they are other than sums of columns. */
  rest?: (totals: ResponseOf<L['call']>['totals']) => readonly TableRest[]
  totals?: (totals: ResponseOf<L['call']>['totals']) => readonly TableTotal[]
  headActions?: ReactNode
  /** When there is nothing at all, whatever one asks. */
  empty?: ReactNode
  failure?: ReactNode
  /** Asks for a type before the export, if no filter names one: rows of several types have no common answers. */
  exportEach?: EachType | undefined
  /** Draws the rows another way than as a table, such as on a map. */
  picture?: Picture<RowOf<L>>
  /** Above the tools. */
  children?: ReactNode | ((steering: ListControls) => ReactNode)
  /** Below the list. */
  note?: ReactNode
}

/** The filters as they stand in the address, and how to change them. */
export interface ListControls {
  filters: Readonly<Record<string, string>>
  setFilters: (values: Record<string, string>) => void
}

/** A list on a screen of its own, with everything that comes from its declaration. */
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
  const left = without?.(state.question.filters) ?? []
  const told = Object.entries(withDays(list, state.question.filters))
  const filters = Object.fromEntries(told.map(([name, value]) => [name, left.includes(name) ? '' : value]))
  const fields = [
    ...useDaysField(list, state.question.filters, setFilters),
    ...fieldsOf(list, own as Record<string, OwnFilter>, typing, filters, setFilters).filter(
      ({ id }) => !left.includes(id),
    ),
  ]
  const nothingAsked = state.question.search === '' && fields.every(({ changed }) => !changed)
  const queryKey = [list.path, about]
  const mayExport = list.csv && mayCall(list.csv.call)
  const save = (question: TableQuestion) => download(list.csv?.call as never, asked(list, about, question) as never)
  return (
    <>
      {live && <Live endpoint={live} onEvent={() => void queries.invalidateQueries({ queryKey: [list.path] })} />}
      <DataTable<ListRow, ResponseOf<L['call']>['totals'], string>
        name={list.path}
        title={translated(list.title)}
        state={{ ...state, question: { ...state.question, filters } }}
        queryKey={queryKey}
        load={async (question, signal, early) => {
          const told = (page: TableData<ListRow, ResponseOf<L['call']>['totals']>) => {
            onRows?.(page.rows)
            return page as never
          }
          return told(await loadList<ListRow>(list, about, question, signal, early && ((page) => early(told(page)))))
        }}
        mostRows={MAX_ROWS}
        columns={columnsOf<ListRow>(list, cells as Cells | undefined).filter(({ id }) => !left.includes(id))}
        rowKey={({ id }) => id}
        noun={(count) => translated((nouns?.(filters) ?? list.nouns)[count === 1 ? 0 : 1])}
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
        {...(nothingAsked && { empty })}
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
  // What was missed while the line was down counts as well.
  useLive(endpoint, onEvent, onEvent)
  return null
}

function mayCall({ access }: Endpoint): boolean {
  return audiencesOf(access).length > 0 && (!access.privilege || may(...access.privilege))
}
