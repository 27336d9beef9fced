import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality', screen: () => import('./DashboardScreen.tsx') },
  { path: '/municipality/schedule', screen: () => import('./ScheduleScreen.tsx') },
]
