import { useCallback, useState } from 'react'
import type { TableColumn } from './column.ts'

export const LETTER = 7.5
export const PADDING = 12
const SORT_MARK = 20
const USUAL = { text: 100, end: 86 }

type FitColumn = Pick<
  TableColumn<never>,
  'id' | 'header' | 'width' | 'align' | 'sort' | 'primary' | 'priority' | 'cents'
>

/** About as wide as a column gets, without looking at what it holds: so nothing moves when rows come. */
export const widthOf = ({ header, width, align, sort }: FitColumn): number =>
  Math.max(width ?? USUAL[align ?? 'text'], header.length * LETTER + PADDING + (sort ? SORT_MARK : 0))

const priorityOf = ({ priority, primary, cents }: FitColumn): number => (primary ? 1 : (priority ?? (cents ? 1 : 2)))

/** Which columns have room beside each other, and which go to a row's second line: those that matter least, from the right. */
export function fitColumns<Column extends FitColumn>(
  columns: readonly Column[],
  room: number,
): { beside: Column[]; below: Column[] } {
  const below = new Set<Column>()
  const needed = () => columns.reduce((sum, column) => sum + (below.has(column) ? 0 : widthOf(column)), 0)
  const leaving = columns
    .map((column, at) => ({ column, at, priority: priorityOf(column) }))
    .filter(({ column }) => !column.primary)
    .sort((a, b) => b.priority - a.priority || b.at - a.at)
  for (const { column } of leaving) if (needed() > room) below.add(column)
  // A narrow one may have room again where a wide one left after it.
  for (const { column } of leaving.toReversed())
    if (below.has(column) && needed() + widthOf(column) <= room) below.delete(column)
  return {
    beside: columns.filter((column) => !below.has(column)),
    below: columns.filter((column) => below.has(column)),
  }
}

/** The width of a place on the screen, known before it is painted. Give it `place` as its ref. */
export function useWidth() {
  const [width, setWidth] = useState(0)
  const place = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const look = () => setWidth(element.clientWidth)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { place, width }
}
