import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/guest/payment/{token}', screen: () => import('./guest/PaymentScreen.tsx') },
  { path: '/payment-test', screen: () => import('./test/PaymentTestScreen.tsx') },
]
