import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/starter-packs', screen: () => import('./StarterPacksScreen.tsx') },
]
