import type { RouteDef } from '../../../web/routes.tsx'

export const citizenRoutes: RouteDef[] = [
  { path: '/support', screen: () => import('./SupportScreen.tsx') },
  { path: '/support/{token}', screen: () => import('./ConversationScreen.tsx') },
]
