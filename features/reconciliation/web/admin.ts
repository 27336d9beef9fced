import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/reconciliation', screen: () => import('./ReconciliationScreen.tsx') },
  { path: '/admin/reconciliation/municipalities', screen: () => import('./CompaniesScreen.tsx') },
]
