import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/notices', screen: () => import('./NoticesScreen.tsx') },
]
