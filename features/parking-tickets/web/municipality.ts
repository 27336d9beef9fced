import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/parking-tickets', screen: () => import('./municipality/TicketsScreen.tsx') },
  { path: '/municipality/reports/parking-ticket', screen: () => import('./municipality/ReportScreen.tsx') },
]
