import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/payment-test', screen: () => import('./PaymentTestScreen.tsx') }]
