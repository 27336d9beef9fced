import { municipalityRoutes as audit } from '../../features/audit/web/office-routes.ts'
import { municipalityRoutes as calendar } from '../../features/calendar/web/routes.tsx'
import { municipalityRoutes as customers } from '../../features/customers/web/routes.tsx'
import { municipalityRoutes as impersonation } from '../../features/impersonation/web/routes.tsx'
import { municipalityRoutes as paymentReport } from '../../features/payments/web/report/routes.tsx'
import { municipalityRoutes as notices } from '../../features/notices/web/routes.ts'
import { municipalityRoutes as places } from '../../features/places/web/routes.ts'
import { municipalityRoutes as sso } from '../../features/sso/web/office-routes.ts'
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
  ...notices,
  ...places,
]

/** Staff may ask the support, too. */
export const supportDialog = () => import('../../features/support/web/SupportDialog.tsx')

/** The slide-out behind 'My Profile' (specification 2.16). */
export const profileSlideOut = () => import('../../features/profile/web/EditProfile.tsx')
