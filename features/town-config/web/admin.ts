import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin', screen: () => import('./CompaniesScreen.tsx') },
  { path: '/admin/{companyId}/company/information', screen: () => import('./information/InformationScreen.tsx') },
]
