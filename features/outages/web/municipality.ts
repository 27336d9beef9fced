import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/payment-outages', screen: () => import('./OutagesScreen.tsx') },
  { path: '/municipality/reports/payment-outages/promises', screen: () => import('./DeferredPaymentsScreen.tsx') },
]
