import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/cart', screen: () => import('./CartScreen.tsx') },
  { path: '/payment-status', screen: () => import('./PaymentStatusScreen.tsx') },
  { path: '/guest/payment/{token}', screen: () => import('./guest/PaymentScreen.tsx') },
  { path: '/payment-test', screen: () => import('./test/PaymentTestScreen.tsx') },
]

/** Keeps the cart count in the header current. */
export const cart = () => import('./follow-cart.ts')
