import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/manage/{provider}/onboarding', screen: () => import('./OnboardingsScreen.tsx') },
]
