/** Loads the 'My Profile' slide-out (spec 2.16). */
export const profileSlideOut = () => import('./EditProfile.tsx')
