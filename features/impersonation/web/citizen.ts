import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/citizen/initialize-impersonation', screen: () => import('./InitializeScreen.tsx') },
]
