import type { ComponentType } from 'react'
import type { PrivilegeName, Permission } from '../../shared/privileges.ts'

/** Dashboard card of a feature, shown to people with the required permission. */
export interface DashboardCard {
  /** Id of the area, such as 'communication'. */
  id: string
  needs: readonly [PrivilegeName, Permission]
  card: () => Promise<{ default: ComponentType }>
  /** True if the card is often empty. The page then reserves no space for it. */
  mayBeEmpty?: true
}

/**
 * Cards above the panels, in display order. `portal/municipality.tsx` adds them, because the dashboard does not depend
 * on other features.
 */
export const dashboardCards: DashboardCard[] = []

/** Notes next to the title. Each note is one line if work is waiting, and empty otherwise. */
export const dashboardNotes: DashboardCard[] = []
