import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/payments', screen: () => import('./PaymentReportScreen.tsx') },
]

/** Slide-out of one payment, which screens of other features open. */
export const paymentSlideOut = () => import('./ChosenPayment.tsx')
