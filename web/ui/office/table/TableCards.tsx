import { formatCents } from '../../../../shared/money.ts'
import type { ActionableRow } from './actions.ts'
import type { TableColumn } from './column.ts'
import { RowActions } from './RowActions.tsx'
import type { GridProps } from './TableGrid.tsx'

/** The same rows as cards, on a phone. */
export function TableCards<Row extends ActionableRow>(props: GridProps<Row>) {
  const { table, columns, groups, groupWords, rows, rowKey, totals, rest } = props
  const shown = table.getVisibleLeafColumns().flatMap(({ id }) => columns.get(id) ?? [])
  const list = (some: readonly Row[]) => (
    <ul className="flex flex-col gap-3">
      {some.map((row) => (
        <CardRow key={rowKey(row)} data={row} shown={shown} {...props} />
      ))}
    </ul>
  )
  return (
    <div className="flex flex-col gap-4">
      {groups
        ? groups.map((group) => (
            <section key={group.name} className="flex flex-col gap-2">
              <h3 className="text-lg">
                {group.name} <span className="font-body font-normal text-muted text-sm">{groupWords(group)}</span>
              </h3>
              {list(group.rows)}
            </section>
          ))
        : list(rows)}
      {totals.length > 0 && (
        <dl className="flex flex-col gap-2">
          {totals.map(({ label, cents }) => (
            <div key={label} className="flex items-end justify-between gap-4 font-bold">
              <dt>{label}</dt>
              <dd className="bookkeeper min-w-28 text-end">{formatCents(cents)}</dd>
            </div>
          ))}
          {rest.map(({ label, cents }) => (
            <div key={label} className="flex items-end justify-between gap-4 text-muted">
              <dt>{label}</dt>
              {/* The last of a line's amounts is the sum of those before it. */}
              <dd className="min-w-28 text-end tabular-nums">{formatCents(Object.values(cents).at(-1) ?? 0)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function CardRow<Row extends ActionableRow>({
  data,
  shown,
  handlers,
  onRow,
  rowName,
}: GridProps<Row> & { data: Row; shown: TableColumn<Row>[] }) {
  const title = shown.find(({ primary }) => primary) ?? shown[0]
  return (
    <li className="rounded-sm border border-line bg-surface p-4">
      <div className="mb-2 flex items-start justify-between gap-3">
        <div className="min-w-0 font-bold">
          {onRow ? (
            <button type="button" className="link text-start" onClick={() => onRow(data)}>
              {title?.cell(data)}
            </button>
          ) : (
            title?.cell(data)
          )}
        </div>
        {handlers && <RowActions row={data} name={rowName(data)} handlers={handlers} />}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table tabular-nums">
        {shown
          .filter((column) => column !== title)
          .map(({ id, header, cell }) => (
            <div key={id} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-muted">{header}</dt>
              <dd className="wrap-anywhere min-w-0 text-end">{cell(data)}</dd>
            </div>
          ))}
      </dl>
    </li>
  )
}
