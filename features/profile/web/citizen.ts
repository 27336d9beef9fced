import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/profile/settings', screen: () => import('./settings/SettingsScreen.tsx') },
]

/** Loads the notice about an unconfirmed email. The portal calls this only for residents with an unconfirmed email. */
export const confirmNotice = () => import('./ConfirmNotice.tsx')
