/** How a company signs people in by others, over whatever screen names it in its address (`?sso=`). */
export const ssoSlideOut = () => import('./CompanySso.tsx')
