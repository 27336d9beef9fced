import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/cart', screen: () => import('./CartScreen.tsx') },
  { path: '/payment-status', screen: () => import('./PaymentStatusScreen.tsx') },
  {
    path: '/guest/payment/{token}',
    screen: () => import('./PaymentScreen.tsx'),
    ...{ rendered: 'token', startsUnprompted: true },
  },
]

/** Loads the code that updates the cart count in the header. */
export const cart = () => import('./parts/follow-cart.ts')
