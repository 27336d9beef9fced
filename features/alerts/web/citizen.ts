import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/alerts', screen: () => import('./AlertsScreens.tsx'), rendered: 'fresh' }]

export const alertBanner = () => import('./AlertBanner.tsx')
