import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/fee/report', screen: () => import('./FeeReportScreen.tsx') },
  { path: '/admin/profit/report', screen: () => import('./ProfitReportScreen.tsx') },
]
