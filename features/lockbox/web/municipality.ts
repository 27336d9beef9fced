import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/bank-payments', screen: () => import('./BankPaymentsScreen.tsx') },
]
