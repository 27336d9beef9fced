import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/utility-portal', screen: () => import('./PortalScreen.tsx') },
  { path: '/utility-portal/sharing', screen: () => import('./SharingScreen.tsx') },
  { path: '/utility-portal/accounts/{accountId}', screen: () => import('./AccountScreen.tsx') },
  { path: '/utility-portal/accounts/{accountId}/bills/{billNumber}', screen: () => import('./BillScreen.tsx') },
]
