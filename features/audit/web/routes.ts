import type { RouteDef } from '../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [
  { path: '/profile/activity-log', screen: () => import('./ActivityLogScreen.tsx') },
]
