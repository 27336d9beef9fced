import { Trans } from '@lingui/react/macro'
import { type TableGroup, totalText, type TableColumn, type TableTotal, type TableRest } from './column.ts'
import { cx } from '../../cx.ts'

const cell = 'border-line border-b px-1.5 py-1 align-top'

interface PrintedGroupsProps {
  groups: readonly TableGroup[]
  groupedBy: string
  noun: (count: number) => string
}

export const PrintedGroups = ({ groups, groupedBy, noun }: PrintedGroupsProps) => (
  <table className="mb-5 border-collapse text-sm tabular-nums">
    <caption className="mb-1 text-start font-bold">
      <Trans>Grouped by {groupedBy}</Trans>
    </caption>
    <thead>
      <tr>
        {[groupedBy, noun(2), ...(groups[0]?.totals.map(({ label }) => label) ?? [])].map((head, i) => (
          <th key={head} scope="col" className={cx(cell, 'border-b-2', i > 0 ? 'text-end' : 'text-start')}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {groups.map((group) => (
        <tr key={group.value ?? '\0'}>
          <th scope="row" className={cx(cell, 'text-start font-normal')}>
            {group.label}
          </th>
          <td className={cx(cell, 'text-end')}>{group.count.toLocaleString('en-US')}</td>
          {group.totals.map((total) => (
            <td key={total.label} className={cx(cell, 'text-end')}>
              {totalText(total)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

interface PrintedRowsProps<Row> {
  title: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
}

export const PrintedRows = <Row,>({ title, columns, rows, rowKey }: PrintedRowsProps<Row>) => (
  <table className="w-full border-collapse text-sm tabular-nums">
    <caption className="spoken">{title}</caption>
    <thead>
      <tr>
        {columns.map(({ id, header, align }) => (
          <th key={id} scope="col" className={cx(cell, 'border-b-2', align === 'end' ? 'text-end' : 'text-start')}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={rowKey(row)}>
          {columns.map((column) => (
            <td
              key={column.id}
              className={cx(
                cell,
                column.whole || column.align ? 'whitespace-nowrap' : 'wrap-anywhere',
                column.align === 'end' && 'text-end',
              )}
            >
              {column.cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

interface PrintedTotalsProps {
  totals: readonly TableTotal[]
  rest: readonly TableRest[]
}

export const PrintedTotals = ({ totals, rest }: PrintedTotalsProps) => (
  <dl className="mt-3 flex flex-wrap justify-end gap-x-8 gap-y-2 text-sm">
    {totals.map((total) => (
      <div key={total.label}>
        <dt className="text-muted">{total.label}</dt>
        <dd className="bookkeeper text-end font-bold tabular-nums">{totalText(total)}</dd>
      </div>
    ))}
    {rest.map(({ label, cents }) => (
      <div key={label} className="text-muted">
        <dt>{label}</dt>
        <dd className="text-end tabular-nums">
          {totalText({ label, column: '', cents: Object.values(cents).at(-1) ?? 0 })}
        </dd>
      </div>
    ))}
  </dl>
)
