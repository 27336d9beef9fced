import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/support', screen: () => import('./admin/RequestsScreen.tsx') }]

/** Requests assigned to a platform person, over any screen with `?items=` in its address. */
export const assignSlideOut = () => import('./admin/AssignItems.tsx')
