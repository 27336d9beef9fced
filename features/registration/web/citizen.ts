import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/register-property', screen: () => import('./RegisterScreen.tsx') }]
