import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/other-portals', screen: () => import('./PortalsScreen.tsx') },
]
