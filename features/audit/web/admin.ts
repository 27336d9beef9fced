import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/reports/audit-log', screen: () => import('./PlatformAuditLogScreen.tsx') },
]
