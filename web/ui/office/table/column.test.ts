import { expect, it } from 'vitest'
import { groupRows, type TableColumn } from './column.ts'

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

it('gathers rows by a column, counts them and sums their cents', () => {
  expect(groupRows(rows, type, amount)).toEqual([
    { name: 'Utility', rows: [rows[0], rows[2]], cents: 301 },
    { name: 'Permit', rows: [rows[1]], cents: 20 },
  ])
  expect(groupRows(rows, type, undefined)[0]?.cents).toBeNull()
})
