import { itemStates, type ItemStatus } from './states.ts'
import { say } from '../../shared/words.ts'

export type ItemType = 'billing' | 'rental' | 'workorder' | 'inspection'

/** A missing status is treated as not_started. */
export const statusOf = (status: ItemStatus | null): ItemStatus => status ?? 'not_started'

/**
 * The word for an item's status, the same wherever the item is shown. Without a status it is arranged while it is still to
 * come, and not started once its last day is over (specification 4.1).
 */
export const statusLabel = (status: ItemStatus | null, type: ItemType, isToCome: boolean): string => {
  if (status) return itemStates.labels[status]
  if (!isToCome) return itemStates.labels.not_started
  return type === 'rental' ? say`Confirmed` : say`Scheduled`
}

/** The upcoming window and the grid's length, in days (specification 9.1). */
export const WINDOW_DAYS = 14

export const typeLabels: Record<ItemType, string> = {
  billing: 'Billing',
  rental: 'Rentals',
  workorder: 'Work orders',
  inspection: 'Inspections',
}

/** The longest range that the master calendar answers: a month in whole weeks. */
export const MASTER_DAYS = 42
