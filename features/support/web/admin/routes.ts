import type { RouteDef } from '../../../../web/routes.tsx'

export const adminRoutes: RouteDef[] = [{ path: '/admin/support', screen: () => import('./RequestsScreen.tsx') }]
