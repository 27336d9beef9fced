import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/work-orders', screen: () => import('./WorkOrdersScreen.tsx') },
]
