import type { RouteDef } from '../../../web/routes.tsx'

export const adminRoutes: RouteDef[] = [{ path: '/admin/customer/lookup', screen: () => import('./LookUpScreen.tsx') }]

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/reports/customers/citizen', screen: () => import('./CustomersScreen.tsx') },
]
