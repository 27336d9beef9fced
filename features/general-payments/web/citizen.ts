import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/pay-bills', screen: () => import('./PayBillsScreen.tsx') },
  { path: '/pay/{slug}', screen: () => import('./PayScreen.tsx'), rendered: 'fresh' },
]
