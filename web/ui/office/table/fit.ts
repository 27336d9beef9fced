import { useCallback, useState } from 'react'
import type { TableColumn } from './column.ts'

export const CHAR_WIDTH = 7.5
export const PADDING = 12
const SORT_MARK = 20
const USUAL = { text: 100, end: 86 }

type FitColumn = Pick<
  TableColumn<never>,
  'id' | 'header' | 'width' | 'align' | 'sort' | 'primary' | 'priority' | 'cents' | 'whole'
>

/** Estimates a column's width without its content, so that columns do not move when rows load. */
export const widthOf = ({ header, width, align, sort }: FitColumn): number =>
  Math.max(width ?? USUAL[align ?? 'text'], header.length * CHAR_WIDTH + PADDING + (sort ? SORT_MARK : 0))

const priorityOf = ({ priority, primary, cents }: FitColumn): number => (primary ? 1 : (priority ?? (cents ? 1 : 2)))

/** Chooses the columns that fit. Drops the least important columns first, starting from the right. */
export function fitColumns<Column extends FitColumn>(columns: readonly Column[], room: number): Column[] {
  const dropped = new Set<Column>()
  const needed = () => columns.reduce((sum, column) => sum + (dropped.has(column) ? 0 : widthOf(column)), 0)
  const leaving = columns
    .map((column, at) => ({ column, at, priority: priorityOf(column) }))
    .filter(({ column }) => !column.primary)
    .sort((a, b) => b.priority - a.priority || b.at - a.at)
  for (const { column } of leaving) if (needed() > room) dropped.add(column)
  // After a wide column is dropped, a narrow one that was dropped earlier may fit again.
  for (const { column } of leaving.toReversed())
    if (dropped.has(column) && needed() + widthOf(column) <= room) dropped.delete(column)
  return columns.filter((column) => !dropped.has(column))
}

/** True for columns that never shrink. Other columns, such as names, shrink if an amount needs more width. */
export const isWhole = ({ whole, align }: Pick<FitColumn, 'whole' | 'align'>): boolean =>
  whole === true || align === 'end'

interface Size {
  width?: number
  minWidth?: number
}

/**
 * Returns the size of each column, by its id. Extra width goes to text columns without a `width`. If every column has a
 * `width`, the extra goes to the column with the row's name, or else to the widest text column. Times and amounts never
 * get extra width.
 */
export function sizesOf(columns: readonly FitColumn[]): Map<string, Size> {
  const texts = columns.filter((column) => !isWhole(column))
  const isOpen = texts.some(({ width }) => width === undefined)
  const wide = isOpen
    ? undefined
    : (texts.find(({ primary }) => primary) ?? texts.toSorted((a, b) => widthOf(b) - widthOf(a))[0])
  const sizeOf = (column: FitColumn): Size => {
    if (column.width === undefined || column === wide) return {}
    const width = widthOf(column)
    return isWhole(column) ? { minWidth: width, ...((wide || isOpen) && { width }) } : { width }
  }
  return new Map(columns.map((column) => [column.id, sizeOf(column)]))
}

/** Measures an element's width before the first paint. Use `container` as the element's ref. */
export function useWidth() {
  const [width, setWidth] = useState(0)
  const container = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { container, width }
}
