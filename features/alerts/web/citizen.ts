import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/alerts', screen: () => import('./AlertsScreens.tsx') }]

/** What is in force, above each of the residents' pages. */
export const alertBanner = () => import('./AlertBanner.tsx')
