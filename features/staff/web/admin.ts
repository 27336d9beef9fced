import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/{companyId}/company/staff', screen: () => import('./CompanyStaffScreen.tsx') },
  { path: '/admin/manage/manage-staff', screen: () => import('./PlatformStaffScreen.tsx') },
]
