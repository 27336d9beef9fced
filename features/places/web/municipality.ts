import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/municipality/manage/places', screen: () => import('./PlacesScreen.tsx') }]
