import { useLingui } from '@lingui/react/macro'
import type { ReactTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type MouseEvent, type ReactNode } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { cx } from '../../cx.ts'
import type { ActionableRow } from './actions.ts'
import type { RowGroup, TableColumn, TableRest, TableTotal } from './column.ts'
import { RowActions, type RowHandlers } from './RowActions.tsx'
import type { features } from './features.ts'
import type { TableState } from './table-state.ts'

export interface GridProps<Row extends ActionableRow> {
  table: ReactTable<typeof features, Row>
  columns: ReadonlyMap<string, TableColumn<Row>>
  groups: readonly RowGroup<Row>[] | null
  groupWords: (group: RowGroup<Row>) => ReactNode
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  rowName: (row: Row) => string
  handlers: RowHandlers<Row> | undefined
  onRow: ((row: Row) => void) | undefined
  totals: readonly TableTotal[]
  rest: readonly TableRest[]
  state: TableState
  caption: string
}

const other = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc')

const cellClasses = 'px-2 py-1.5 align-middle first:ps-3 last:pe-3'
const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a,button,input,label,select') !== null

/** The table itself: header, groups, rows, totals. */
export function TableGrid<Row extends ActionableRow>(props: GridProps<Row>) {
  const { table, columns, groups, groupWords, rows, handlers, totals, caption, rowKey } = props
  const shown = table.getVisibleLeafColumns().flatMap(({ id }) => columns.get(id) ?? [])
  const width = shown.length + (handlers ? 1 : 0)
  const row = (data: Row) => <GridRow key={rowKey(data)} data={data} shown={shown} {...props} />
  return (
    <div className="overflow-x-auto border border-line bg-surface print:overflow-visible print:border-0">
      <table className="w-full border-collapse text-table tabular-nums">
        <caption className="spoken">{caption}</caption>
        <GridHead {...props} shown={shown} />
        {groups ? (
          groups.map((group) => (
            <tbody key={group.name}>
              <tr>
                <th scope="rowgroup" colSpan={width} className={cx(cellClasses, 'bg-tint text-start font-bold')}>
                  {group.name} <span className="font-normal text-muted">{groupWords(group)}</span>
                </th>
              </tr>
              {group.rows.map(row)}
            </tbody>
          ))
        ) : (
          <tbody>{rows.map(row)}</tbody>
        )}
        {totals.length > 0 && (
          <tfoot>
            <tr>
              {handlers && <td className="print:hidden" />}
              {shown.map(({ id, align }) => {
                const total = totals.find(({ column }) => column === id)
                return (
                  <td key={id} className={cx('px-2 pt-2 pb-3 align-bottom last:pe-3', align === 'end' && 'text-end')}>
                    {total && <Total {...total} />}
                  </td>
                )
              })}
            </tr>
            {props.rest.map((line) => (
              <RestRow key={line.label} {...line} shown={shown} actions={handlers !== undefined} />
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}

const Total = ({ label, cents }: TableTotal) => (
  <>
    <span className="block whitespace-nowrap pb-1 text-muted text-xs">{label}</span>
    <span className="bookkeeper block font-bold text-sm">{formatCents(cents)}</span>
  </>
)

/** Its label stands beside its first amount, so that both are read together. */
function RestRow<Row>({
  label,
  cents,
  shown,
  actions,
}: TableRest & { shown: readonly TableColumn<Row>[]; actions: boolean }) {
  const first = shown.findIndex(({ id }) => id in cents)
  if (first < 1) return null
  return (
    <tr className="text-muted last:*:pb-3">
      {actions && <td className="print:hidden" />}
      <th scope="row" colSpan={first} className="px-2 py-1 text-end font-normal">
        {label}
      </th>
      {shown.slice(first).map(({ id }) => (
        <td key={id} className="whitespace-nowrap px-2 py-1 text-end last:pe-3">
          {id in cents && formatCents(cents[id] ?? 0)}
        </td>
      ))}
    </tr>
  )
}

function GridHead<Row extends ActionableRow>({
  shown,
  handlers,
  state,
}: GridProps<Row> & { shown: TableColumn<Row>[] }) {
  const { t } = useLingui()
  const { sort, direction } = state.question
  const heading = cx(cellClasses, 'h-11 whitespace-nowrap font-bold text-sm')
  return (
    <thead>
      <tr className="border-link border-b-2">
        {handlers && (
          <th scope="col" className={cx(heading, 'text-start print:hidden')}>
            {t`Actions`}
          </th>
        )}
        {shown.map(({ id, header, sort: by, align, sortFirst: first }) => {
          const sorted = by !== undefined && by === sort
          const Arrow = sorted ? (direction === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown
          return (
            <th
              key={id}
              scope="col"
              aria-sort={sorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
              className={cx(heading, align === 'end' ? 'text-end' : 'text-start')}
            >
              {by === undefined ? (
                header
              ) : (
                <button
                  type="button"
                  className="focus-inside -mx-2 inline-flex min-h-8 items-center gap-1 rounded-sm px-2 hover:bg-tint"
                  onClick={() =>
                    state.setSort(by, sorted ? other(direction) : (first ?? (align === 'end' ? 'desc' : 'asc')))
                  }
                >
                  {header}
                  <Arrow size={15} aria-hidden className={cx('print:hidden', sorted ? 'text-link' : 'text-muted')} />
                </button>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function GridRow<Row extends ActionableRow>({
  data,
  shown,
  handlers,
  onRow,
  rowName,
}: GridProps<Row> & { data: Row; shown: TableColumn<Row>[] }) {
  const press = (event: MouseEvent) => {
    if (onRow && !isControl(event.target) && !globalThis.getSelection()?.toString()) onRow(data)
  }
  const hasPrimary = shown.some(({ primary }) => primary)
  return (
    // The pointer's shortcut; the keyboard's way is the button in the row's header.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr onClick={press} className={cx('h-11 border-line border-b', onRow && 'cursor-pointer hover:bg-tint')}>
      {handlers && (
        <td className={cx(cellClasses, 'w-px print:hidden')}>
          <RowActions row={data} name={rowName(data)} handlers={handlers} />
        </td>
      )}
      {shown.map((column, i) => {
        const act = column.onCell ?? ((column.primary || (!hasPrimary && i === 0)) && onRow)
        const content = act ? (
          <button type="button" className="link text-start" onClick={() => act(data)}>
            {column.cell(data)}
          </button>
        ) : (
          column.cell(data)
        )
        const classes = cx(
          cellClasses,
          'whitespace-nowrap text-start print:whitespace-normal',
          column.align === 'end' && 'text-end!',
        )
        return column.primary ? (
          <th key={column.id} scope="row" className={cx(classes, 'font-normal')}>
            {content}
          </th>
        ) : (
          <td key={column.id} className={classes}>
            {content}
          </td>
        )
      })}
    </tr>
  )
}
