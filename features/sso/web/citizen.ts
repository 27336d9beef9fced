import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/sso-verification', screen: () => import('./SsoVerificationScreen.tsx') },
  { path: '/sso/verify-ccs-token', screen: () => import('./HandOffScreen.tsx') },
  { path: '/sso-auth-complete', screen: () => import('./AuthCompleteScreen.tsx') },
  { path: '/token-test', screen: () => import('./TokenTestScreen.tsx') },
]
