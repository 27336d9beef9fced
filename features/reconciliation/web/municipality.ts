import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/reconciliation', screen: () => import('./DayScreen.tsx') },
  { path: '/municipality/reports/payouts', screen: () => import('./PayoutsScreen.tsx') },
  { path: '/municipality/manage/bank-statements', screen: () => import('./BankScreen.tsx') },
  { path: '/municipality/reports/exceptions', screen: () => import('./ExceptionsScreen.tsx') },
]
