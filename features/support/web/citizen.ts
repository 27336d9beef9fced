import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/support', screen: () => import('./SupportScreen.tsx'), rendered: 'fresh' },
  { path: '/support/{token}', screen: () => import('./MessagesScreen.tsx'), rendered: 'token', startsUnprompted: true },
]

/** Loads the dialog 'Enter a Support Request' (spec 2.7). */
export const supportDialog = () => import('./SupportDialog.tsx')
