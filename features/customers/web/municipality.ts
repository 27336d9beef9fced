import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/reports/customers/citizen', screen: () => import('./CustomersScreen.tsx') },
  { path: '/municipality/reports/customers/property', screen: () => import('./PropertiesScreen.tsx') },
]
