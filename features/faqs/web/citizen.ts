import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/frequently-asked-questions', screen: () => import('./FaqsScreen.tsx'), rendered: 'fresh' },
]

export const search = () => import('./SearchButton.tsx')
