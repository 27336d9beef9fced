import type { RouteDef } from '../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [{ path: '/sign-in', screen: () => import('./SignInScreen.tsx') }]
