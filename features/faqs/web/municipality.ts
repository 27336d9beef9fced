import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/faqs', screen: () => import('./desk/FaqsDeskScreen.tsx') },
  { path: '/municipality/manage/faqs/searches', screen: () => import('./desk/SearchesScreen.tsx') },
]
