import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/arrangements', screen: () => import('./ArrangementsScreen.tsx') },
]
