import type { RouteDef } from '../../../web/routes.tsx'

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/manage/manage-staff', screen: () => import('./TownStaffScreen.tsx') },
  { path: '/municipality/reports/login', screen: () => import('./LoginReportScreen.tsx') },
]

export const adminRoutes: RouteDef[] = [
  { path: '/admin/{companyId}/company/staff', screen: () => import('./CompanyStaffScreen.tsx') },
  { path: '/admin/manage/manage-staff', screen: () => import('./PlatformStaffScreen.tsx') },
]
