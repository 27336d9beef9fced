import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/settings', screen: () => import('./information/InformationScreen.tsx') },
]
