import { formatCents } from '../../../shared/money.ts'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'

/** A column of amounts. */
export const centsColumn = <Row>(
  id: string,
  header: string,
  of: (row: Row) => number,
  more: Partial<TableColumn<Row>> = {},
): TableColumn<Row> => ({ id, header, align: 'end', cell: (row) => formatCents(of(row)), ...more })
