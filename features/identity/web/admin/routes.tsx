import type { RouteDef } from '../../../../web/routes.tsx'

export const adminRoutes: RouteDef[] = [{ path: '/admin/sign-in', screen: () => import('./AdminSignInScreen.tsx') }]
