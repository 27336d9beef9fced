import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/sign-in', screen: () => import('./admin/AdminSignInScreen.tsx') }]
