import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/counter', screen: () => import('./CounterScreen.tsx') },
  { path: '/municipality/reports/drawers', screen: () => import('./DrawersScreen.tsx') },
]
