/** Rules of work orders, with the general severity levels (spec 9.4). */

/** Numbers of the states of a work order (spec 4.5). */
export const workOrderStatus = { created: 0, inProgress: 1, completed: 2, reopened: 3, invalid: 4 } as const
/** States of work orders that are neither completed nor invalid. */
export const openWorkOrders = [workOrderStatus.created, workOrderStatus.inProgress, workOrderStatus.reopened] as const

export const severityLabels = { 0: 'High', 1: 'Standard', 2: 'Low' } as const
export type Severity = keyof typeof severityLabels

export const kindLabels = {
  repair: 'Repair',
  reading: 'Reading',
  inspection: 'Inspection',
  maintenance: 'Maintenance',
} as const
export type OrderKind = keyof typeof kindLabels

export const costLabels = { labor: 'Labor', part: 'Parts', other: 'Other' } as const
export type CostKind = keyof typeof costLabels

/**
 * Calculates the amount of a cost line in cents. For labor, the quantity is in minutes and `unitCents` is the hourly
 * rate, so the amount is rounded.
 */
export const costOf = (kind: CostKind, quantity: number, unitCents: number): number =>
  kind === 'labor' ? Math.round((quantity * unitCents) / 60) : quantity * unitCents

/** Formats an order number such as 'WO-2026-000123'. */
export const orderNumber = (year: number, nth: number): string => `WO-${year}-${String(nth).padStart(6, '0')}`

/** Status filters of order lists: one state, or all open states. */
export const statusFilterLabels = {
  open: 'Open',
  created: 'Created',
  in_progress: 'In progress',
  completed: 'Completed',
  reopened: 'Reopen',
  invalid: 'Invalid',
} as const
export const statusOfFilter = { created: 0, in_progress: 1, completed: 2, reopened: 3, invalid: 4 } as const

/** Number of days for which the board shows completed orders. */
const BOARD_DAYS = 14
export const boardSince = (now: Date): Date => new Date(now.getTime() - BOARD_DAYS * 86_400_000)
