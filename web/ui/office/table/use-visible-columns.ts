import { useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { TableColumn } from './column.ts'
import { useColumnChoice } from './column-choice.ts'
import { features } from './features.ts'

/** Returns the visible columns in order, and the table object that changes the choice of columns. */
export function useVisibleColumns<Row extends object>(
  name: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
) {
  const [visibility, setVisibility] = useColumnChoice(name, columns)
  const table = useTable({
    features,
    data: rows as Row[],
    columns: useMemo(() => columns.map(({ id: columnId, header }) => ({ id: columnId, header })), [columns]),
    state: { columnVisibility: visibility },
    onColumnVisibilityChange: setVisibility,
  })
  const visibleIds = new Set(table.getVisibleLeafColumns().map((column) => column.id))
  // A column that the person turned on is more important than all others.
  const visible = columns
    .filter(({ id }) => visibleIds.has(id))
    .map((column) => (visibility[column.id] === true ? { ...column, priority: 0 as const } : column))
  return { table, visible }
}
