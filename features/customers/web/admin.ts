import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/customer/lookup', screen: () => import('./LookupScreen.tsx') }]
