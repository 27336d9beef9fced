import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/municipality/manage/api-keys', screen: () => import('./KeysScreen.tsx') }]
