import { adminRoutes as analytics } from '../../features/analytics/web/routes.ts'
import { adminRoutes as audit } from '../../features/audit/web/office-routes.ts'
import { adminRoutes as calendar } from '../../features/calendar/web/routes.tsx'
import { adminRoutes as companies } from '../../features/companies/web/admin/routes.tsx'
import { adminRoutes as customers } from '../../features/customers/web/routes.tsx'
import { adminRoutes as formLibrary } from '../../features/form-library/web/routes.ts'
import { adminRoutes as identity } from '../../features/identity/web/admin/routes.tsx'
import { adminRoutes as moneyReports } from '../../features/money-reports/web/routes.ts'
import { adminRoutes as outbox } from '../../features/outbox/web/routes.tsx'
import { adminRoutes as reconciliation } from '../../features/reconciliation/web/routes.ts'
import { adminRoutes as staff } from '../../features/staff/web/routes.tsx'
import { adminRoutes as support } from '../../features/support/web/admin/routes.ts'
import type { RouteDef } from '../routes.tsx'

/** The administrator screens, feature by feature. */
export const routes: RouteDef[] = [
  ...identity,
  ...companies,
  ...outbox,
  ...customers,
  ...staff,
  ...audit,
  ...formLibrary,
  ...calendar,
  ...moneyReports,
  ...reconciliation,
  ...analytics,
  ...support,
]

/** The slide-out behind 'My Profile' (specification 2.16). */
export const profileSlideOut = () => import('../../features/profile/web/EditProfile.tsx')

/** How a company signs people in by others, over whatever screen names it in its address (`?sso=`). */
export const ssoSlideOut = () => import('../../features/sso/web/CompanySso.tsx')

/** What somebody of the platform works on, over whatever screen names them in its address (`?assign=`). */
export const assignSlideOut = () => import('../../features/support/web/admin/AssignItems.tsx')
