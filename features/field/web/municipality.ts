import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/municipality/field', screen: () => import('./FieldScreen.tsx') }]
