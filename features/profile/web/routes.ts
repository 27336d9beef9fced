import type { RouteDef } from '../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [
  { path: '/profile/settings', screen: () => import('./settings/SettingsScreen.tsx') },
]
