import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/import-presets', screen: () => import('./PresetsScreen.tsx') }]
