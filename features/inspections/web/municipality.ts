import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/inspections', screen: () => import('./InspectionsScreen.tsx') },
  { path: '/municipality/inspections/{templateId}/items', screen: () => import('./ItemsScreen.tsx') },
]
