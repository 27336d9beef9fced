import type { RouteDef } from '../../../web/routes.tsx'

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality', screen: () => import('./DashboardScreen.tsx') },
  { path: '/municipality/schedule', screen: () => import('./ScheduleScreen.tsx') },
]

export const adminRoutes: RouteDef[] = [
  { path: '/admin/master/calendar', screen: () => import('./MasterCalendarScreen.tsx') },
]
