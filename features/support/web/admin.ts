import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [{ path: '/admin/support', screen: () => import('./admin/RequestsScreen.tsx') }]

/** Slide-out for requests assigned to a platform staff member. Opens over any screen with `?items=` in the URL. */
export const assignSlideOut = () => import('./admin/AssignItems.tsx')
