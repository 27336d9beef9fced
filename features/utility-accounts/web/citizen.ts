import type { RouteDef } from '../../../web/routes.tsx'

const index = () => import('./UtilityIndexScreen.tsx')

export const screens: RouteDef[] = [
  { path: '/utility-index', screen: index },
  // The signed-in are let in here (product rules, section 3). Their accounts come with a later screen; until then they
  // find what can be done already.
  { path: '/utility-portal', screen: index },
  { path: '/guest-utility-payment', screen: () => import('./FindBillScreen.tsx') },
]
