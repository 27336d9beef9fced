import { i18n } from '../i18n.ts'
import type { ReactNode } from 'react'
import { msg } from '@lingui/core/macro'
import { formatMonth, formatShortDate } from '../../shared/dates.ts'
import type { Column, GroupUnit, List } from '../../shared/list.ts'
import { formatCents } from '../../shared/money.ts'
import { translated } from '../../shared/messages.ts'
import { briefInstant, exactInstant, shortInstant } from '../clock.ts'
import type { TableColumn } from '../ui/office/table/column.ts'
import { CHAR_WIDTH, PADDING } from '../ui/office/table/fit.ts'

export type Value = string | number | boolean | null
export type PlainRow = Readonly<Record<string, Value>>
/** Function that renders a cell. `content` is the default content of the cell, and `text` is its text. */
export type Cells = Readonly<
  Record<string, ((row: PlainRow, text: string, content: ReactNode) => ReactNode) | undefined>
>

export const yesNo = (value: boolean): string => i18n._(value ? msg`Yes` : msg`No`)

export function textOf(column: Column, value: Value): string {
  if (value === null || value === '') return ''
  if (column.kind === 'cents') return formatCents(Number(value))
  if (column.kind === 'whole') return Number(value).toLocaleString('en-US')
  if (column.kind === 'instant') return (column.seconds ? exactInstant : shortInstant)(String(value))
  if (column.kind === 'day') return formatShortDate(String(value))
  if (column.kind === 'choice') return translated(column.labels?.[String(value)] ?? String(value))
  if (column.kind === 'flag') return yesNo(value === true)
  return String(value)
}

/** Returns the label of the group with this value. The value of a period is its first day. */
export function groupLabel(column: Column, value: string | null, unit?: GroupUnit): string {
  if (value === null) return column.empty ? translated(column.empty) : i18n._(msg`None`)
  if (column.kind === 'instant') return periodLabel(value, unit)
  if (column.kind === 'flag') return yesNo(value === 'true')
  return textOf(column, value)
}

/** Returns the name of the period that starts on this day, such as 'November 2026' or 'Q4 2026'. */
function periodLabel(day: string, unit: GroupUnit = 'day'): string {
  const year = day.slice(0, 4)
  if (unit === 'year') return year
  if (unit === 'quarter') return i18n._(msg`Q${String(Math.ceil(Number(day.slice(5, 7)) / 3))} ${year}`)
  if (unit === 'week') return i18n._(msg`Week of ${formatShortDate(day)}`)
  if (unit === 'month') return formatMonth(day)
  return formatShortDate(day)
}

const BADGE = 38
/** Maximum length of a number or code, in characters. A text of this length or less counts as one and must not wrap. */
const MAX_CODE_LENGTH = 10

/**
 * Estimates a column's width in pixels by its content type. With this estimate, the table decides which columns fit
 * before rows are loaded.
 */
function widthOf({ kind, labels, chars, primary }: Column, isTotalled: boolean): number {
  if (chars !== undefined) return chars * CHAR_WIDTH + PADDING
  const maxLength = Math.max(0, ...Object.values(labels ?? {}).map((label) => label.length))
  if (kind === 'choice') return Math.min(190, maxLength * CHAR_WIDTH + PADDING + BADGE)
  // The primary column is bold.
  if (kind === 'instant') return 96 + (primary ? 24 : 0)
  if (kind === 'day') return 110
  if (kind === 'cents') return isTotalled ? 104 : 88
  if (kind === 'whole') return 80
  if (kind === 'flag') return 64
  return 150
}

/** Renders a cell. A brief time has its full text as tooltip and for screen readers. */
function cellOf(column: Column, row: PlainRow, value: Value, own: Cells[string], isBrief: boolean): ReactNode {
  const text = textOf(column, value)
  const empty = column.empty ? translated(column.empty) : '–'
  const content =
    column.kind !== 'instant' || text === '' ? (
      text || empty
    ) : isBrief ? (
      <time dateTime={String(value)} title={text}>
        <span aria-hidden>{briefInstant(String(value))}</span>
        <span className="spoken">{text}</span>
      </time>
    ) : (
      <time dateTime={String(value)}>{text}</time>
    )
  return own?.(row, text, content) || content
}

/** Builds the table's columns from the list's declaration. */
export function columnsOf<Row>(list: List, cells: Cells = {}): readonly TableColumn<Row>[] {
  return Object.entries(list.columns as Record<string, Column>)
    .filter(([, { kind, screen }]) => kind !== 'fact' && screen !== false)
    .map(([id, column]): TableColumn<PlainRow> => {
      const own = cells[id]
      const { kind } = column
      const isAmount = kind === 'cents' || kind === 'whole'
      return {
        id,
        header: translated(column.label),
        cell: (row) => cellOf(column, row, row[id] ?? null, own, false),
        ...(kind === 'instant' && { brief: (row) => cellOf(column, row, row[id] ?? null, own, true) }),
        width: widthOf(column, list.totalled.includes(id)),
        whole: (kind !== 'text' && kind !== 'choice') || (column.chars ?? Infinity) <= MAX_CODE_LENGTH,
        ...(column.priority && { priority: column.priority }),
        ...(column.sort && { sort: id, sortFirst: column.sort }),
        ...(isAmount && { align: 'end' }),
        ...(kind === 'cents' && { cents: (row) => Number(row[id]) }),
        ...(column.primary && { primary: true }),
        ...(column.hidden && { hidden: true }),
        ...(column.group && { groupBy: 'server', groupUnits: kind === 'instant' }),
      }
    }) as unknown as readonly TableColumn<Row>[]
}

const percentOf = (part: number, all: number): string => (all > 0 ? ` (${Math.round((part * 100) / all)}%)` : '')

/** Returns the totals of all matching rows or of one group, each with the id of its column. */
export const totalsOf = (list: List, totals: Readonly<Record<string, number>> | null) =>
  list.totalled.flatMap((name) => {
    const { total = '', kind, shareOf = '' } = list.columns[name] as Column
    // Totals with an empty label are not shown.
    if (total === '') return []
    const sum = totals?.[name] ?? 0
    return {
      label: translated(total),
      column: name,
      cents: sum,
      ...(kind === 'whole' && { text: sum.toLocaleString('en-US') + percentOf(sum, totals?.[shareOf] ?? 0) }),
    }
  })
