import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/registration', screen: () => import('./RegistrationsScreen.tsx') },
  { path: '/municipality/reports/registration/{kind}/fields', screen: () => import('./FieldsScreen.tsx') },
]
