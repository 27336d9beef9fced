import type { RouteDef } from '../../../web/routes.tsx'

export const adminRoutes: RouteDef[] = [
  { path: '/admin/reconciliation', screen: () => import('./ReconciliationScreen.tsx') },
]
