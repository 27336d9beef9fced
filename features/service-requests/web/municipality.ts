import type { DashboardCard } from '../../../web/municipality/dashboard.ts'
import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/customer-communication', screen: () => import('./municipality/InboxScreen.tsx') },
  { path: '/municipality/reports/communication', screen: () => import('./municipality/ReportScreen.tsx') },
  {
    path: '/municipality/manage/customer-communication/categories',
    screen: () => import('./municipality/CategoriesScreen.tsx'),
  },
  {
    path: '/municipality/manage/customer-communication/categories/{categoryId}/fields',
    screen: () => import('./municipality/CategoryFieldsScreen.tsx'),
  },
]

/** Loads the chat between staff and residents, which is part of the page header. */
export const chat = () => import('./municipality/StaffChat.tsx')

/** Cards that the dashboard shows above its panels. */
export const cards: DashboardCard[] = [
  {
    id: 'communication',
    needs: ['requests', 'view'],
    card: () => import('./municipality/RequestsCard.tsx'),
  },
]
