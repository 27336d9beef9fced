import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/phone-payments', screen: () => import('./PhonePaymentsScreen.tsx') },
]
