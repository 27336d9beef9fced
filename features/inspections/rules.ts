import type { ItemStatus } from './states.ts'

export const INSPECTIONS_PATH = '/municipality/inspections'

/** The subject that is a place and nothing else. */
export const PLACE = 'place'

/** 'I-2026-000123' */
export const inspectionNumber = (year: number, nth: number): string => `I-${year}-${String(nth).padStart(6, '0')}`

interface Item {
  id: number
  status: ItemStatus
  repeatOf: number | null
}

/** What counts of a checklist: an item that was repeated counts no more. */
export function counting<I extends Item>(items: readonly I[]): I[] {
  const repeated = new Set(items.map(({ repeatOf }) => repeatOf))
  return items.filter(({ id }) => !repeated.has(id))
}

/** What an inspection comes to; null while an item that counts has no verdict. */
export function resultOf(items: readonly Item[]): 'passed' | 'failed' | null {
  const count = counting(items)
  if (count.length === 0 || count.some(({ status }) => status === 'open' || status === 'complete')) return null
  return count.some(({ status }) => status === 'failed') ? 'failed' : 'passed'
}

export const dueLabels = { overdue: 'Overdue', week: 'Due within 7 days', later: 'Later' } as const
export type DueGroup = keyof typeof dueLabels
