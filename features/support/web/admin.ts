import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/support', screen: () => import('./admin/RequestsScreen.tsx') }]

/** What somebody of the platform works on, over whatever screen names them in its address (`?items=`). */
export const assignSlideOut = () => import('./admin/AssignItems.tsx')
