import { useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, ChevronDown, ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { IconButton } from '../../Button.tsx'
import { cx } from '../../cx.ts'
import type { ActionableRow } from './actions.ts'
import { cellClasses, type RowGroup, totalText, type TableColumn, type TableRest, type TableTotal } from './column.ts'
import { fitColumns, isWhole, sizesOf } from './fit.ts'
import { GridGroup } from './GridGroup.tsx'
import type { ServerGroups } from './groups.ts'
import { PageCheckbox, RowCheckbox } from './checkboxes.tsx'
import { actionsWidth, RowActions, type RowHandlers } from './RowActions.tsx'
import type { Selection } from './selection.ts'
import type { TableState } from './table-state.ts'
import { focusRow, focusSearch, listKeyOf } from './row-keys.ts'
import { Text } from '../../Text.tsx'

/** Loaded on demand, because most people open the record itself. */
const Peek = lazy(() => import('./Peek.tsx')) as unknown as typeof import('./Peek.tsx').default

export interface RowsProps<Row extends ActionableRow> {
  /** Visible columns, in order. */
  columns: readonly TableColumn<Row>[]
  /** All columns of the list, also those that are not visible. */
  all: readonly TableColumn<Row>[]
  /** Available width in pixels. */
  room: number
  groups: readonly RowGroup<Row>[] | null
  groupText: (group: RowGroup<Row>) => ReactNode
  serverGroups: ServerGroups<Row> | null
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  rowName: (row: Row) => string
  noun: (count: number) => string
  handlers: RowHandlers<Row> | undefined
  selection: Selection<Row> | null
  onRow: ((row: Row) => void) | undefined
  totals: readonly TableTotal[]
  rest: readonly TableRest[]
  state: TableState
  caption: string
  /** True for rows of 32 px instead of 44 px. */
  dense: boolean
  /** False if the person turned single letters off. */
  hasShortcuts: boolean
  /** Shows the keys of the list. */
  onHelp: () => void
}

const other = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc')

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a,button,input,label,select') !== null

const CHECKBOX_PX = 44
const EDGES_PX = 26
const PEEK_PX = 44

/** The table itself: header, groups, rows, totals. */
export function TableGrid<Row extends ActionableRow>(props: RowsProps<Row>) {
  const { groups, groupText, serverGroups, rows, handlers, selection, totals, caption, rowKey } = props
  const actions = handlers ? actionsWidth(handlers) : 0
  const fit = fitColumns(props.columns, props.room - EDGES_PX - PEEK_PX - actions - (selection ? CHECKBOX_PX : 0))
  const [peeked, setPeeked] = useState<{ row: Row; anchor: Element } | null>(null)
  const closePeek = useCallback(() => setPeeked(null), [])
  const lead = Number(handlers !== undefined) + Number(selection !== null)
  const row = (some: readonly Row[]) => (data: Row) => (
    <GridRow
      key={rowKey(data)}
      {...props}
      data={data}
      pageRows={some}
      fit={fit}
      onPeek={(anchor) => setPeeked({ row: data, anchor })}
    />
  )
  const missing = totals.filter(({ column }) => !fit.some(({ id }) => id === column))
  return (
    <div className="list-table overflow-x-auto border border-line bg-surface">
      <table className="w-full border-collapse text-table tabular-nums">
        <caption className="spoken">{caption}</caption>
        <GridHead {...props} fit={fit} />
        {serverGroups ? (
          serverGroups.groups.map((group) => (
            <GridGroup
              key={group.value ?? '\0'}
              {...props}
              group={group}
              of={serverGroups}
              columns={fit}
              lead={lead}
              row={row}
            />
          ))
        ) : groups ? (
          groups.map((group) => (
            <tbody key={group.name}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={lead + fit.length + 1}
                  className={cx(cellClasses, 'bg-tint text-start font-bold')}
                >
                  <Text>{group.name}</Text> <span className="font-normal text-muted">{groupText(group)}</span>
                </th>
              </tr>
              {group.rows.map(row(group.rows))}
            </tbody>
          ))
        ) : (
          <tbody>{rows.map(row(rows))}</tbody>
        )}
        {totals.length > 0 && (
          <tfoot>
            <tr>
              {lead > 0 && <td colSpan={lead} />}
              {fit.map(({ id, align }) => {
                const total = totals.find(({ column }) => column === id)
                return (
                  <td key={id} className={cx('px-1.5 pt-2 pb-3 align-bottom last:pe-3', align === 'end' && 'text-end')}>
                    {total && <Total {...total} />}
                  </td>
                )
              })}
            </tr>
            {props.rest.map((line) => (
              <RestRow key={line.label} {...line} columns={fit} lead={lead} />
            ))}
            {missing.length > 0 && (
              <tr>
                <td colSpan={lead + fit.length + 1} className="px-3 pb-3">
                  <div className="flex flex-wrap justify-end gap-x-6">
                    {missing.map((total) => (
                      <span key={total.label}>
                        <Total {...total} />
                      </span>
                    ))}
                  </div>
                </td>
              </tr>
            )}
          </tfoot>
        )}
      </table>
      {peeked && (
        <Suspense>
          <Peek
            {...peeked}
            key={rowKey(peeked.row)}
            name={props.rowName(peeked.row)}
            columns={props.all}
            onOpen={props.onRow}
            onClose={closePeek}
          />
        </Suspense>
      )}
    </div>
  )
}

const Total = (total: TableTotal) => (
  <>
    <span className="block pb-1 text-muted text-xs">{total.label}</span>
    <span className="bookkeeper block font-bold text-sm">{totalText(total)}</span>
  </>
)

/**
 * Table row for a line below the totals. Its label is directly next to the first amount, so that people read the two
 * together.
 */
function RestRow<Row>({
  label,
  cents,
  columns,
  lead,
}: TableRest & { columns: readonly TableColumn<Row>[]; lead: number }) {
  const first = columns.findIndex(({ id }) => id in cents)
  if (first < 1) return null
  return (
    <tr className="text-muted last:*:pb-3">
      {lead > 0 && <td colSpan={lead} />}
      <th scope="row" colSpan={first} className="px-1.5 py-1 text-end font-normal">
        {label}
      </th>
      {columns.slice(first).map(({ id }) => (
        <td key={id} className="whitespace-nowrap px-1.5 py-1 text-end last:pe-3">
          {id in cents && formatCents(cents[id] ?? 0)}
        </td>
      ))}
    </tr>
  )
}

function GridHead<Row extends ActionableRow>({
  fit,
  rows,
  handlers,
  selection,
  serverGroups,
  state,
}: RowsProps<Row> & { fit: readonly TableColumn<Row>[] }) {
  const { t } = useLingui()
  const { sort, direction } = state.question
  const heading = cx(cellClasses, 'h-8.5 whitespace-nowrap font-bold text-sm')
  const sizes = sizesOf(fit)
  return (
    <thead>
      <tr className="border-link border-b-2">
        {selection && (
          <th scope="col" className={cx(heading, 'w-px text-start')}>
            {serverGroups ? (
              <span className="spoken">{t`Selected`}</span>
            ) : (
              <PageCheckbox rows={rows} selection={selection} />
            )}
          </th>
        )}
        {handlers && (
          <th scope="col" className={cx(heading, 'w-px text-start')}>
            <span className="spoken print:hidden">{t`Actions`}</span>
          </th>
        )}
        {fit.map((column) => {
          const { id, header, sort: by, align, sortFirst: first } = column
          const sorted = by !== undefined && by === sort
          const Arrow = sorted ? (direction === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown
          return (
            <th
              key={id}
              scope="col"
              aria-sort={sorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
              className={cx(heading, align === 'end' ? 'text-end' : 'text-start')}
              style={sizes.get(id)}
            >
              {by === undefined ? (
                header
              ) : (
                <button
                  type="button"
                  className="focus-inside -mx-2 inline-flex min-h-8 items-center gap-1 rounded-sm px-2 text-start hover:bg-tint"
                  onClick={() =>
                    state.setSort(by, sorted ? other(direction) : (first ?? (align === 'end' ? 'desc' : 'asc')))
                  }
                >
                  <Text>{header}</Text>
                  <Arrow size={15} aria-hidden className={cx(sorted ? 'text-link' : 'text-muted')} />
                </button>
              )}
            </th>
          )
        })}
        <th scope="col" className={cx(heading, 'w-px')}>
          <span className="spoken print:hidden">{t`All fields`}</span>
        </th>
      </tr>
    </thead>
  )
}

interface GridRowProps<Row extends ActionableRow> extends RowsProps<Row> {
  data: Row
  /** Rows on the page. A Shift-click selects a range of them. */
  pageRows: readonly Row[]
  fit: readonly TableColumn<Row>[]
  /** Opens the preview of the row next to an element. */
  onPeek: (anchor: Element) => void
}

/** One row of the table: one line, with an ellipsis where a text is cut. */
function GridRow<Row extends ActionableRow>({
  data,
  pageRows,
  fit,
  handlers,
  selection,
  onRow,
  onPeek,
  onHelp,
  rowName,
  dense,
  hasShortcuts,
}: GridRowProps<Row>) {
  const { t } = useLingui()
  const name = rowName(data)
  const handleClick = (event: MouseEvent) => {
    if (onRow && !isControl(event.target) && !globalThis.getSelection()?.toString()) onRow(data)
  }
  const handleKey = (event: KeyboardEvent) => {
    const { target, currentTarget: row } = event
    // Space on the name of a record peeks. Enter opens the record, as a click does.
    if (event.key === ' ' && target instanceof Element && target.matches('.row-name')) {
      event.preventDefault()
      return onPeek(row)
    }
    const key = listKeyOf(event, hasShortcuts)
    if (!key) return
    event.preventDefault()
    if (key.act === 'search') focusSearch(row)
    else if (key.act === 'help') onHelp()
    else if (key.act === 'select') selection?.choose(data, !chosen, key.extend, pageRows)
    else if (focusRow(row, key.act) && key.extend && selection) {
      const other = pageRows[pageRows.indexOf(data) + (key.act === 'next' ? 1 : -1)]
      if (!chosen) selection.choose(data, true, false, pageRows)
      if (other) selection.choose(other, true, false, pageRows)
    }
  }
  const hasPrimary = fit.some(({ primary }) => primary)
  const chosen = selection?.has(data) === true
  return (
    // A click on a row is a shortcut for pointer users. Keyboard users have a button in the row's header.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      onClick={handleClick}
      onKeyDown={handleKey}
      className={cx(
        dense ? 'h-8' : 'h-11',
        'border-line border-b',
        chosen && 'bg-tint-2',
        onRow && 'row-opens cursor-pointer',
      )}
    >
      {selection && (
        <td className={cx(cellClasses, 'w-px')}>
          <RowCheckbox row={data} name={name} pageRows={pageRows} selection={selection} />
        </td>
      )}
      {handlers && (
        <td className={cx(cellClasses, 'w-px')}>
          <RowActions row={data} name={name} handlers={handlers} />
        </td>
      )}
      {fit.map((column, i) => (
        <GridCell
          key={column.id}
          column={column}
          data={data}
          act={column.onCell ?? (column.primary || (!hasPrimary && i === 0) ? onRow : undefined)}
        />
      ))}
      <td className={cx(cellClasses, 'w-px')}>
        <IconButton
          icon={ChevronDown}
          label={t`Show all fields of ${name}`}
          className={cx(dense && 'size-7!')}
          onClick={({ currentTarget }) => onPeek(currentTarget.closest('tr') ?? currentTarget)}
        />
      </td>
    </tr>
  )
}

interface GridCellProps<Row> {
  column: TableColumn<Row>
  data: Row
  /** Effect of a press on the content. */
  act: ((row: Row) => void) | undefined
}

function GridCell<Row>({ column, data, act }: GridCellProps<Row>) {
  const content = (column.brief ?? column.cell)(data)
  const inner = act ? (
    <button
      type="button"
      className={cx('link focus-inside max-w-full truncate text-start align-middle', !column.onCell && 'row-name')}
      onClick={() => act(data)}
    >
      {content}
    </button>
  ) : (
    content
  )
  const own = cx(
    cellClasses,
    'whitespace-nowrap',
    !isWhole(column) && 'max-w-0 overflow-hidden text-ellipsis',
    column.align === 'end' ? 'text-end' : 'text-start',
  )
  return column.primary ? (
    <th scope="row" className={cx(own, 'font-normal')}>
      {inner}
    </th>
  ) : (
    <td className={own}>{inner}</td>
  )
}
