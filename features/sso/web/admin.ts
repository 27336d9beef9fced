/**
 * Loads the slide-out for a company's single sign-on settings. The slide-out opens over any screen if the URL has
 * `?sso=`.
 */
export const ssoSlideOut = () => import('./CompanySso.tsx')
