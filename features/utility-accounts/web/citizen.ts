import type { RouteDef } from '../../../web/routes.tsx'

const index = () => import('./UtilityIndexScreen.tsx')

export const screens: RouteDef[] = [
  { path: '/utility-index', screen: index, rendered: 'cached' },
  { path: '/guest-utility-payment', screen: () => import('./FindBillScreen.tsx'), rendered: 'cached' },
]
