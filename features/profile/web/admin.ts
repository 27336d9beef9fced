/** The slide-out behind 'My Profile' (specification 2.16). */
export const profileSlideOut = () => import('./EditProfile.tsx')
