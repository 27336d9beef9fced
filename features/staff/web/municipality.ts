import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/manage-staff', screen: () => import('./TownStaffScreen.tsx') },
  { path: '/municipality/reports/login', screen: () => import('./LoginReportScreen.tsx') },
]
