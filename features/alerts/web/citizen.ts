import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/alerts', screen: () => import('./AlertsScreen.tsx') },
  { path: '/register-property/alerts', screen: () => import('./ChoicesScreen.tsx') },
]

/** What is in force, above each of the residents' pages. */
export const alertBanner = () => import('./AlertBanner.tsx')
