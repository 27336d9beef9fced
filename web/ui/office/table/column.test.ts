import { expect, it } from 'vitest'
import { groupRows, type TableColumn } from './column.ts'
import { fitColumns, widthOf } from './fit.ts'

interface Row {
  type: string
  cents: number
}

const type: TableColumn<Row> = { id: 'type', header: 'Type', cell: (row) => row.type, groupBy: (row) => row.type }
const amount: TableColumn<Row> = { id: 'amount', header: 'Amount', cell: () => '', cents: (row) => row.cents }
const rows = [
  { type: 'Utility', cents: 1 },
  { type: 'Permit', cents: 20 },
  { type: 'Utility', cents: 300 },
]

it('groups rows by a column, with their count and sum', () => {
  expect(groupRows(rows, type, amount)).toEqual([
    { name: 'Utility', rows: [rows[0], rows[2]], cents: 301 },
    { name: 'Permit', rows: [rows[1]], cents: 20 },
  ])
  expect(groupRows(rows, type, undefined)[0]?.cents).toBeNull()
})

const text = (id: string, more: Partial<TableColumn<Row>> = {}): TableColumn<Row> => ({
  id,
  header: id,
  cell: () => '',
  width: 100,
  ...more,
})
const ids = (columns: readonly TableColumn<Row>[]) => columns.map(({ id }) => id)

it('drops the least important columns first, from the right', () => {
  const columns = [text('a', { priority: 3 }), text('name', { primary: true }), text('b'), text('c'), text('d')]
  const at = (room: number) => ids(fitColumns(columns, room))
  expect(at(500)).toEqual(['a', 'name', 'b', 'c', 'd'])
  expect(at(499)).toEqual(['name', 'b', 'c', 'd'])
  expect(at(300)).toEqual(['name', 'b', 'c'])
  // The column with the row's name stays visible, however narrow the table is.
  expect(at(10)).toEqual(['name'])
})

it('never makes a header narrower than its words', () => {
  expect(widthOf(text('Date on which the payment was counted'))).toBeGreaterThan(250)
})
