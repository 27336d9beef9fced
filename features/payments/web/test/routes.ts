import type { RouteDef } from '../../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [{ path: '/payment-test', screen: () => import('./PaymentTestScreen.tsx') }]
