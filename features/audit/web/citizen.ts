import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/profile/activity-log', screen: () => import('./ActivityLogScreen.tsx') }]
