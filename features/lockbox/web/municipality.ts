import type { DashboardCard } from '../../../web/municipality/dashboard.ts'
import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/bank-payments', screen: () => import('./BankPaymentsScreen.tsx') },
]

/** Notes next to the dashboard's title. */
export const notes: DashboardCard[] = [
  {
    id: 'bank-payments',
    needs: ['payments', 'view'],
    card: () => import('./UnpostedPayments.tsx'),
  },
]
