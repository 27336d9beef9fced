import type { RouteDef } from '../../../web/routes.tsx'

export const municipalityRoutes: RouteDef[] = [
  { path: '/municipality/manage/places', screen: () => import('./PlacesScreen.tsx') },
]
