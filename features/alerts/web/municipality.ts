import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/alerts', screen: () => import('./desk/AlertsDeskScreen.tsx') },
  { path: '/municipality/manage/alerts/sources', screen: () => import('./desk/SourcesScreen.tsx') },
  { path: '/municipality/reports/alerts', screen: () => import('./desk/ReportScreen.tsx') },
]
