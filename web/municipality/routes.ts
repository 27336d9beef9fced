import { municipalityRoutes as calendar } from '../../features/calendar/web/routes.tsx'
import { municipalityRoutes as paymentReport } from '../../features/payments/web/report/routes.tsx'
import type { RouteDef } from '../routes.tsx'

/** The municipality screens, feature by feature. */
export const routes: RouteDef[] = [...calendar, ...paymentReport]

/** The slide-out behind 'My Profile' (specification 2.16). */
export const profileSlideOut = () => import('../../features/profile/web/EditProfile.tsx')
