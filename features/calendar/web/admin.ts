import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/master/calendar', screen: () => import('./MasterCalendarScreen.tsx') },
]
