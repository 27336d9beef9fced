import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/profile/payment-methods', screen: () => import('./PaymentMethodsScreen.tsx') },
]
