import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/sign-in', screen: () => import('./SignInScreen.tsx') },
  { path: '/sign-up', screen: () => import('./SignUpScreen.tsx') },
  { path: '/reset-password', screen: () => import('./ResetPasswordScreen.tsx') },
]
