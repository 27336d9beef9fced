import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/billing-files', screen: () => import('./BillingFilesScreen.tsx') },
  { path: '/municipality/manage/billing-files/remittances', screen: () => import('./RemittancesScreen.tsx') },
  { path: '/municipality/manage/billing-files/file', screen: () => import('./BillingFileScreen.tsx') },
]
