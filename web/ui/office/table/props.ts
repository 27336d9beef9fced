import type { ReactNode } from 'react'
import type { TableQuestion, TableState } from './table-state.ts'
import type { TableData, TableColumn, TableTotal, TableRest } from './column.ts'
import type { ActionableRow } from './actions.ts'
import type { RowHandlers } from './RowActions.tsx'
import type { BulkAction } from './bulk.ts'
import type { FilterField } from './fields.ts'

/** Function that loads a page of the table. `early` receives the rows if count and totals take longer. */
export type LoadTable<Row, Totals, Filter extends string = string> = (
  question: TableQuestion<Filter>,
  signal: AbortSignal | undefined,
  early?: (rows: TableData<Row, Totals>) => void,
) => Promise<TableData<Row, Totals>>

export interface DataTableProps<Row extends ActionableRow, Totals, Filter extends string> {
  /** Storage key of the column choice. */
  name: string
  title: string
  /** Heading level of the title: 1 unless the table is part of another screen. */
  level?: 1 | 2
  columns: readonly TableColumn<Row>[]
  state: TableState<Filter>
  /** Query key of the responses: `[endpoint.path]`, so that `reload(endpoint)` refreshes the table. */
  queryKey: readonly unknown[]
  load: LoadTable<Row, Totals, Filter>
  /** Maximum number of rows that `load` returns in one request, for prints. */
  maxRows?: number
  rowKey: (row: Row) => string | number
  /** Returns a row's name for its button labels: the receipt number, the company's name. */
  rowName: (row: Row) => string
  /** Returns the noun for this number of rows, such as 'payments' for "240 payments". */
  noun: (count: number) => string
  actions?: RowHandlers<Row>
  onRow?: (row: Row) => void
  bulk?: readonly BulkAction<Row>[]
  /** Returns the totals of all matching rows, not only of the page. */
  totals?: (totals: Totals) => readonly TableTotal[]
  /** Returns lines that explain the totals, with the amounts of rows that the totals do not include. */
  rest?: (totals: Totals) => readonly TableRest[]
  onExport?: (question: TableQuestion<Filter>) => Promise<void>
  /** More buttons next to the title, such as 'Add Company'. */
  headActions?: ReactNode
  /** Links to other views of the list or related screens, next to the title. */
  tabs?: ReactNode
  /** Buttons in the menu `⋯` next to the title. */
  moreActions?: ReactNode
  views?: ReactNode
  /** Filter controls that the screen renders. `fields` are filters described by data. */
  filters?: ReactNode
  fields?: readonly FilterField[]
  searchable?: boolean
  searchLabel?: string
  /** Shown if no row matches. */
  empty?: ReactNode
  /** Custom error title if loading fails. */
  failure?: ReactNode
  /** Alternative display of the rows, such as a map. */
  layout?: ListLayout<Row>
  /** Content above the search and filters. */
  children?: ReactNode
  /** Explanation below the list. */
  note?: ReactNode
}

/** An alternative to the table display. */
export interface ListLayout<Row> {
  /** Name of the display. The cache stores rows under this name, because each display loads different rows. */
  name: string
  /** Maximum number of rows in this display. */
  rows: number
  /** Filters that the display adds to the reader's own filters. */
  filters?: Readonly<Record<string, string>>
  render: (rows: readonly Row[]) => ReactNode
}
