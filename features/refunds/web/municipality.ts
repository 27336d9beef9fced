import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/refunds', screen: () => import('./RefundsScreen.tsx') },
]
