import { paymentSlideOut } from '../../../web/municipality/ChosenPayment.tsx'
import type { RouteDef } from '../../../web/routes.tsx'

paymentSlideOut.fill(() => import('./ChosenPayment.tsx'))

export const screens: RouteDef[] = [
  { path: '/municipality/reports/payments', screen: () => import('./PaymentReportScreen.tsx') },
]
