import { municipalityRoutes as audit } from '../../features/audit/web/routes.ts'
import { municipalityRoutes as calendar } from '../../features/calendar/web/routes.tsx'
import { municipalityRoutes as customers } from '../../features/customers/web/routes.tsx'
import { municipalityRoutes as impersonation } from '../../features/impersonation/web/routes.tsx'
import { municipalityRoutes as paymentReport } from '../../features/payments/web/report/routes.tsx'
import { municipalityRoutes as sso } from '../../features/sso/web/routes.ts'
import { municipalityRoutes as staff } from '../../features/staff/web/routes.tsx'
import type { RouteDef } from '../routes.tsx'

/** The municipality screens, feature by feature. */
export const routes: RouteDef[] = [
  ...calendar,
  ...paymentReport,
  ...staff,
  ...audit,
  ...customers,
  ...impersonation,
  ...sso,
]

/** The slide-out behind 'My Profile' (specification 2.16). */
export const profileSlideOut = () => import('../../features/profile/web/EditProfile.tsx')
