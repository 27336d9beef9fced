import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/other-portals', screen: () => import('./PortalsScreen.tsx') },
]

/** Status of a request at the portal that received it. */
export const requestAtPortal = () => import('./RequestAtPortal.tsx')
