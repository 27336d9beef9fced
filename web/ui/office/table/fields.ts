import type { ReactNode } from 'react'

export interface FilterField {
  id: string
  label: string
  node: ReactNode
  /** Approximate width in pixels. */
  width: number
  /** True if the value differs from the default. */
  changed: boolean
  /** Current value as text. `''` if the filter has no effect. */
  valueText: string
  /** True if the visible field shows the whole value, so that it needs no chip. */
  isComplete?: boolean
  /** Resets the filter to its default. */
  clear: () => void
}

const GAP = 8
const MORE_BUTTON = 150

/** Returns the number of filters that fit in a row. The remaining filters go behind a button. */
export function howManyFit(fields: readonly FilterField[], room: number): number {
  const upTo = (count: number) => fields.slice(0, count).reduce((sum, { width }) => sum + width + GAP, 0) - GAP
  if (upTo(fields.length) <= room) return fields.length
  let count = 0
  while (upTo(count + 1) + MORE_BUTTON <= room) count++
  return count
}
