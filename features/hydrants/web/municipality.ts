import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/first-responder', screen: () => import('./FirstResponderScreen.tsx') },
]
