import type { RouteDef } from '../../../web/routes.tsx'

export const adminRoutes: RouteDef[] = [{ path: '/admin/analyitics', screen: () => import('./AnalyticsScreen.tsx') }]
