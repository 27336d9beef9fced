import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/fee-rules', screen: () => import('./FeeRulesScreen.tsx') },
]
