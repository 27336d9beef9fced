import type { ComponentType } from 'react'
import type { PolicyName, Right } from '../../shared/privileges.ts'

/** What a feature shows of its area on the dashboard, to whoever has the right to see it. */
export interface DashboardCard {
  /** Of the area: 'communication'. */
  id: string
  needs: readonly [PolicyName, Right]
  card: () => Promise<{ default: ComponentType }>
}

/** Above the panels, in the order in which they stand. The portal names them, since the dashboard knows no other feature. */
export const dashboardCards: DashboardCard[] = []

/** The same beside the title: a line where something waits, and nothing where nothing does. */
export const dashboardNotes: DashboardCard[] = []
