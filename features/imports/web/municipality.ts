import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/imports', screen: () => import('./ImportsScreen.tsx') },
]
