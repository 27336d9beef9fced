import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/profile/settings', screen: () => import('./settings/SettingsScreen.tsx') },
]
