import type { ColumnVisibilityState, OnChangeFn } from '@tanstack/react-table'
import * as z from 'zod/mini'
import { usePersonSetting } from '../../../person-settings.ts'
import type { TableColumn } from './column.ts'

const choice = z.record(z.string(), z.boolean())
const NONE: ColumnVisibilityState = {}

/**
 * Returns the visibility of each column and a function that changes it. The choice belongs to the person and the
 * table's name.
 */
export function useColumnChoice<Row>(name: string, columns: readonly TableColumn<Row>[]) {
  const [chosen, setChosen] = usePersonSetting<ColumnVisibilityState>(`columns:${name}`, choice, NONE)
  const hidden = columns.filter((column) => column.hidden).map(({ id }) => [id, false])
  const visibility: ColumnVisibilityState = { ...Object.fromEntries(hidden), ...chosen }
  const choose: OnChangeFn<ColumnVisibilityState> = (change) =>
    setChosen(typeof change === 'function' ? change(visibility) : change)
  return [visibility, choose] as const
}
