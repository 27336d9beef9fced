import type { RouteDef } from '../../../web/routes.tsx'

const screen = () => import('./InitializeScreen.tsx')

export const citizenRoutes: RouteDef[] = [{ path: '/citizen/initialize-impersonation', screen }]
export const municipalityRoutes: RouteDef[] = [{ path: '/municipality/initialize-impersonation', screen }]
