import type { RouteDef } from '../../../web/routes.tsx'
import { seasonCards } from '../../rentals/web/parts/page-parts.ts'

seasonCards.fill(() => import('./SeasonCards.tsx'))

export const screens: RouteDef[] = [
  { path: '/resource-rentals/season/{roundId}', screen: () => import('./SeasonScreen.tsx') },
]
