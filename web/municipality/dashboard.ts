import type { ComponentType } from 'react'
import type { PolicyName, Permission } from '../../shared/privileges.ts'

/** A feature's card on the dashboard, for people with its permission. */
export interface DashboardCard {
  /** Id of the area: 'communication'. */
  id: string
  needs: readonly [PolicyName, Permission]
  card: () => Promise<{ default: ComponentType }>
}

/**
 * Cards above the panels, in display order. The portal sets them, because the dashboard does not depend on other
 * features.
 */
export const dashboardCards: DashboardCard[] = []

/** Notes next to the title: one line if work is waiting, else nothing. */
export const dashboardNotes: DashboardCard[] = []
