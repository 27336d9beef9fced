import type { RouteDef } from '../../../web/routes.tsx'

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/reports/notices', screen: () => import('./NoticesScreen.tsx') },
]
