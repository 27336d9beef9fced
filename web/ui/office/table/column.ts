import type { ReactNode } from 'react'
import { formatCents } from '../../../../shared/money.ts'

/** One column of a table. Texts are translated already. */
export interface TableColumn<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The server's name for sorting by it; without one it can't be sorted. */
  sort?: string
  /** The direction of its first click; amounts start with the largest, all else with A. Dates want 'desc'. */
  sortFirst?: 'asc' | 'desc'
  /** Amounts and counts stand at the end, in figures of one width. */
  align?: 'end'
  /** Names the row: it is the row's header, and the title of its card on a phone. */
  primary?: boolean
  /** Offers grouping by it: rows of the page with the same text make a group, or the server groups all that match. */
  groupBy?: ((row: Row) => string) | 'server'
  /** Integer cents that a group's heading sums. */
  cents?: (row: Row) => number
  /** Not shown until somebody chooses it. */
  hidden?: boolean
  /** A click on the cell does something of its own. */
  onCell?: (row: Row) => void
  /** 1 stays in view; where the width ends, the highest go to the row's second line first. 2 unless said. */
  priority?: 1 | 2 | 3 | 4
  /** About how wide it is, in pixels. */
  width?: number
  /** It has nothing to say of this row: then the row's second line does without it. */
  isEmpty?: (row: Row) => boolean
  /** Amounts, dates and the like are never broken; names and emails are, wherever they have to be. */
  whole?: boolean
}

export interface TableTotal {
  /** 'Total Amount:', 'Total Fees:', 'Total Payment:' (specification 2.19). */
  label: string
  /** The column it stands under. */
  column: string
  cents: number
  /** What is shown where it counts something other than cents. */
  shown?: string
}

export const shownTotal = ({ cents, shown }: TableTotal): string => shown ?? formatCents(cents)

/** The room around what a cell holds. */
export const cellClasses = 'px-1.5 py-1.5 align-middle first:ps-3 last:pe-3'

/** A line under the totals that says where the rest of them went: what was refunded, returned, voided. */
export interface TableRest {
  label: string
  /** By the columns that the totals stand under. */
  cents: Readonly<Record<string, number>>
}

/** All that match and have one value in the column that is grouped by. */
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
  /** Counted up to `COUNT_CAP`. Null while the rows are shown before count and totals are known. */
  count: number | null
  totals: Totals
  /** In place of rows, where the server was asked for groups. */
  groups?: readonly TableGroup[] | null
}

export interface RowGroup<Row> {
  name: string
  rows: Row[]
  cents: number | null
}

/** Gathers rows by a column, in the order in which its values appear. */
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
