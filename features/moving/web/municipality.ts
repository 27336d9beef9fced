import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/move-in-out', screen: () => import('./MovesScreen.tsx') },
]
