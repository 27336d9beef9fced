import type { DashboardCard } from '../../../web/municipality/dashboard.ts'
import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/work-orders', screen: () => import('./WorkOrdersScreen.tsx') },
]

/** Cards above the panels of the dashboard. */
export const cards: DashboardCard[] = [
  { id: 'work-orders', needs: ['work_orders', 'view'], card: () => import('./OrdersCard.tsx') },
]
