import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/manage-General-payments', screen: () => import('./TypesScreen.tsx') },
  { path: '/municipality/manage/manage-General-payments/{typeId}/fields', screen: () => import('./FieldsScreen.tsx') },
  { path: '/municipality/reports/general-payments', screen: () => import('./ChargesScreen.tsx') },
]
