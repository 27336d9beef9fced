import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/autopay', screen: () => import('./AutopayReportScreen.tsx') },
  { path: '/municipality/reports/autopay-removals', screen: () => import('./AutopayRemovalsScreen.tsx') },
]
