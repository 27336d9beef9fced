import { itemStates, type ItemStatus } from './states.ts'
import { say } from '../../shared/messages.ts'

export type ItemType = 'billing' | 'rental' | 'workorder' | 'inspection'

export const statusOf = (status: ItemStatus | null): ItemStatus => status ?? 'not_started'

/**
 * Returns the status label of an item, which is the same on every screen. Without a status, a future item is scheduled,
 * and a past item is not started (spec 4.1).
 */
export const statusLabel = (status: ItemStatus | null, type: ItemType, isToCome: boolean): string => {
  if (status) return itemStates.labels[status]
  if (!isToCome) return itemStates.labels.not_started
  return type === 'rental' ? say`Confirmed` : say`Scheduled`
}

/** Number of days in the upcoming period and in the grid (spec 9.1). */
export const WINDOW_DAYS = 14

export const typeLabels: Record<ItemType, string> = {
  billing: 'Billing',
  rental: 'Rentals',
  workorder: 'Work orders',
  inspection: 'Inspections',
}

/** Longest range of the master calendar, in days: a month in whole weeks. */
export const MASTER_DAYS = 42
