import type { RouteDef } from '../../../../web/routes.tsx'

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/reports/payments', screen: () => import('./PaymentReportScreen.tsx') },
]
