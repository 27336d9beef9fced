import type { ReactNode } from 'react'
import { formatCents } from '../../../../shared/money.ts'

/** One column of a table. Texts are translated already. */
export interface TableColumn<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Content of the cell in a row of the table, if it is shorter than `cell`. */
  brief?: (row: Row) => ReactNode
  /** Name of this column's sort order on the server. Without it, the column cannot be sorted. */
  sort?: string
  /**
   * Sort direction after the first click. By default, amount columns start with the largest amount, and other columns
   * with A. Date columns need 'desc'.
   */
  sortFirst?: 'asc' | 'desc'
  /** Aligns amounts and counts at the end, with tabular figures. */
  align?: 'end'
  /** True if the column has the row's name. It is then the row header, and the title of the card on a phone. */
  primary?: boolean
  /**
   * Groups rows by this column. A function returns the group's text for a row and groups only the rows of the page.
   * 'server' groups all matching rows on the server.
   */
  groupBy?: ((row: Row) => string) | 'server'
  /** True if the server groups the column by periods: days, weeks, months, quarters and years. */
  groupUnits?: boolean
  /** Returns the row's amount in integer cents. A group's heading shows the sum. */
  cents?: (row: Row) => number
  /** True if the column is hidden until the person selects it. */
  hidden?: boolean
  /** Called when the person clicks the cell. */
  onCell?: (row: Row) => void
  /**
   * Priority of the column. If the table is too narrow, it drops the columns with the highest number first. Only the
   * primary column always stays. Default 2, or 1 for columns with `cents`.
   */
  priority?: 0 | 1 | 2 | 3 | 4
  /** Approximate width in pixels. */
  width?: number
  /** True for short values such as amounts and dates, which the table never cuts. It cuts names and emails. */
  whole?: boolean
}

export interface TableTotal {
  /** Label of the total: 'Total Amount:', 'Total Fees:', 'Total Payment:' (spec 2.19). */
  label: string
  /** Id of the column that the total belongs to. */
  column: string
  cents: number
  /** Text to show if the total is not in cents. */
  text?: string
}

export const totalText = ({ cents, text }: TableTotal): string => text ?? formatCents(cents)

export const cellClasses = 'relative px-1.5 py-0 align-middle first:ps-3 last:pe-3'

/** Line below the totals with amounts that the totals do not include: refunded, returned, voided. */
export interface TableRest {
  label: string
  /** Amounts in cents, by the id of the totals' columns. */
  cents: Readonly<Record<string, number>>
}

/** Group of all matching rows with the same value in the grouped column. */
export interface TableGroup {
  value: string | null
  label: string
  count: number
  totals: readonly TableTotal[]
}

export interface TableData<Row, Totals = unknown> {
  rows: readonly Row[]
  next: string | null
  previous: string | null
  /** Number of matching rows, up to `COUNT_CAP`. Null while the rows are shown before count and totals are known. */
  count: number | null
  totals: Totals
  /** Groups instead of rows, if requested. */
  groups?: readonly TableGroup[] | null
}

export interface RowGroup<Row> {
  name: string
  rows: Row[]
  cents: number | null
}

/** Groups rows by a column, in order of first appearance. */
export function groupRows<Row>(
  rows: readonly Row[],
  by: TableColumn<Row>,
  summed: TableColumn<Row> | undefined,
): RowGroup<Row>[] {
  const groups = new Map<string, RowGroup<Row>>()
  for (const row of rows) {
    const name = typeof by.groupBy === 'function' ? by.groupBy(row) : ''
    const group = groups.get(name) ?? { name, rows: [], cents: summed ? 0 : null }
    group.rows.push(row)
    if (summed?.cents && group.cents !== null) group.cents += summed.cents(row)
    groups.set(name, group)
  }
  return [...groups.values()]
}
