/** Slide-out for 'My Profile' (spec 2.16). */
export const profileSlideOut = () => import('./EditProfile.tsx')
