import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/audit-log', screen: () => import('./AuditLogScreen.tsx') },
]
