import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/{provider}-sso-test', screen: () => import('./ProviderTestScreen.tsx') },
]
