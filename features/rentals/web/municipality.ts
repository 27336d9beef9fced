import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/manage-resource-rentals', screen: () => import('./ManageRentalsScreen.tsx') },
]
