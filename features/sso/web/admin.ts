/** Slide-out for a company's single sign-on settings. Opens over any screen with `?sso=` in the URL. */
export const ssoSlideOut = () => import('./CompanySso.tsx')
