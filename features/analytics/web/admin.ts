import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/analyitics', screen: () => import('./AnalyticsScreen.tsx') }]
