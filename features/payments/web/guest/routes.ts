import type { RouteDef } from '../../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [
  { path: '/guest/payment/{token}', screen: () => import('./PaymentScreen.tsx') },
]
