import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/initialize-impersonation', screen: () => import('./InitializeScreen.tsx') },
]
