import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/payment-arrangements', screen: () => import('./MyArrangementsScreen.tsx') },
]
