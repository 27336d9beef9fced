import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/payments', screen: () => import('./report/PaymentReportScreen.tsx') },
  { path: '/municipality/reports/refunds', screen: () => import('./report/RefundsScreen.tsx') },
  { path: '/municipality/reports/payment-outages', screen: () => import('./outage/OutagesScreen.tsx') },
  { path: '/municipality/reports/payment-outages/promises', screen: () => import('./outage/PromisesScreen.tsx') },
]
