import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/{companyId}/company/starter-packs', screen: () => import('./StarterPacksScreen.tsx') },
]
