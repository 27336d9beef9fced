import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/other-portals', screen: () => import('./PortalsScreen.tsx') },
]

/** What became of a request at the portal to which it was sent. */
export const sentThere = () => import('./SentThere.tsx')
