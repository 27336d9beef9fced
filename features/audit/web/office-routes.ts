import type { RouteDef } from '../../../web/routes.tsx'

/** A file of their own, so that no resident's browser loads what their screens consist of. */
export const adminRoutes: RouteDef[] = [
  { path: '/admin/reports/audit-log', screen: () => import('./PlatformAuditLogScreen.tsx') },
]

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/reports/audit-log', screen: () => import('./AuditLogScreen.tsx') },
]
