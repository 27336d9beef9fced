import type { RouteDef } from '../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [
  { path: '/profile/activity-log', screen: () => import('./ActivityLogScreen.tsx') },
]

export const adminRoutes: RouteDef[] = [
  { path: '/admin/reports/audit-log', screen: () => import('./PlatformAuditLogScreen.tsx') },
]

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/reports/audit-log', screen: () => import('./AuditLogScreen.tsx') },
]
