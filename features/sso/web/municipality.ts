import type { RouteDef } from '../../../web/routes.tsx'

/**
 * Loads the slide-out for the municipality's single sign-on settings. The slide-out opens over any screen if the URL has
 * `?sso=`.
 */
export const ssoSlideOut = () => import('./CompanySso.tsx')

export const screens: RouteDef[] = [
  { path: '/municipality/{provider}-sso-test', screen: () => import('./ProviderTestScreen.tsx') },
]
