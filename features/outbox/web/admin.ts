import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/outbox', screen: () => import('./OutboxScreen.tsx') },
  { path: '/admin/outbox/texts', screen: () => import('./PhonesScreen.tsx') },
  { path: '/admin/outbox/calls', screen: () => import('./CallsScreen.tsx') },
]
