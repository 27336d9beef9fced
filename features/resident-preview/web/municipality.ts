import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/resident-preview', screen: () => import('./PreviewScreen.tsx') },
]
