/** Single sign-on settings of a company, over any screen with `?sso=` in its address. */
export const ssoSlideOut = () => import('./CompanySso.tsx')
