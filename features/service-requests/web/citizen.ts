import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/communication', screen: () => import('./citizen/RequestsScreen.tsx') },
  { path: '/communication/new', screen: () => import('./citizen/NewRequestScreen.tsx'), rendered: 'fresh' },
  {
    path: '/communication/reported',
    screen: () => import('./citizen/ReportedScreen.tsx'),
    ...{ rendered: 'fresh', startsUnprompted: true },
  },
  {
    path: '/communication/request/{token}',
    screen: () => import('./citizen/RequestScreen.tsx'),
    ...{ rendered: 'token', startsUnprompted: true },
  },
  { path: '/communication/followed/{token}', screen: () => import('./citizen/FollowedScreen.tsx'), rendered: 'token' },
]

/** Loads the signed-in resident's chat, which is part of the page header. */
export const chat = () => import('./citizen/ResidentChat.tsx')
