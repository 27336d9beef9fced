import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/frequently-asked-questions', screen: () => import('./FaqsScreen.tsx') }]

export const search = () => import('./SearchButton.tsx')
