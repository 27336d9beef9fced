import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin', screen: () => import('./admin/CompaniesScreen.tsx') },
  { path: '/admin/{companyId}/company/information', screen: () => import('./admin/information/InformationScreen.tsx') },
]
