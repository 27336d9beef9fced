import type { ReactNode } from 'react'

/** One filter of a table, as it stands above it. */
export interface FilterField {
  id: string
  label: string
  node: ReactNode
  /** About how wide it is, in pixels. */
  width: number
  /** It is other than when the address says nothing. */
  changed: boolean
  /** What it says now, in words; `''` where it narrows nothing. */
  words: string
  /** As it is when the address says nothing. */
  clear: () => void
}

const GAP = 8
const MORE_BUTTON = 150

/** How many filters have room beside each other; the others stand behind a button. */
export function howManyFit(fields: readonly FilterField[], room: number): number {
  const upTo = (count: number) => fields.slice(0, count).reduce((sum, { width }) => sum + width + GAP, 0) - GAP
  if (upTo(fields.length) <= room) return fields.length
  let count = 0
  while (upTo(count + 1) + MORE_BUTTON <= room) count++
  return count
}
