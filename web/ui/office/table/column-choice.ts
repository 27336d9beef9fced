import type { ColumnVisibilityState, OnChangeFn } from '@tanstack/react-table'
import { useState } from 'react'
import type { TableColumn } from './column.ts'

function remembered(key: string): ColumnVisibilityState {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as ColumnVisibilityState
  } catch {
    return {}
  }
}

function remember(key: string, visibility: ColumnVisibilityState): void {
  try {
    localStorage.setItem(key, JSON.stringify(visibility))
  } catch {
    // The browser blocks storage, so the person chooses again on the next visit.
  }
}

/**
 * Returns the visibility of each column and a function that changes it. This browser stores the choice under the
 * table's name.
 */
export function useColumnChoice<Row>(name: string, columns: readonly TableColumn<Row>[]) {
  const key = `columns:${name}`
  const [visibility, setVisibility] = useState<ColumnVisibilityState>(() => {
    const hidden = columns.filter((column) => column.hidden).map(({ id }) => [id, false])
    return { ...Object.fromEntries(hidden), ...remembered(key) }
  })
  const choose: OnChangeFn<ColumnVisibilityState> = (change) => {
    const next = typeof change === 'function' ? change(visibility) : change
    setVisibility(next)
    remember(key, next)
  }
  return [visibility, choose] as const
}
