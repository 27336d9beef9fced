import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/reconciliation/outages', screen: () => import('./AllOutagesScreen.tsx') },
]
