import { citizenRoutes as audit } from '../../features/audit/web/routes.ts'
import { citizenRoutes as companies } from '../../features/companies/web/routes.ts'
import { citizenRoutes as identity } from '../../features/identity/web/routes.ts'
import { citizenRoutes as impersonation } from '../../features/impersonation/web/routes.tsx'
import { citizenRoutes as profile } from '../../features/profile/web/routes.ts'
import { citizenRoutes as guestPayments } from '../../features/payments/web/guest/routes.ts'
import { citizenRoutes as testPayments } from '../../features/payments/web/test/routes.ts'
import { citizenRoutes as sso } from '../../features/sso/web/routes.ts'
import { citizenRoutes as support } from '../../features/support/web/routes.ts'
import { citizenRoutes as utilityAccounts } from '../../features/utility-accounts/web/routes.ts'
import type { RouteDef } from '../routes.tsx'

/** The citizen screens, feature by feature. */
export const routes: RouteDef[] = [
  ...companies,
  ...identity,
  ...profile,
  ...utilityAccounts,
  ...guestPayments,
  ...audit,
  ...impersonation,
  ...sso,
  ...testPayments,
  ...support,
]

/** Says that the email waits to be confirmed; loaded by those alone whose does. */
export const confirmNotice = () => import('../../features/identity/web/ConfirmNotice.tsx')

/** The form behind 'Enter a Support Request' (specification 2.7). */
export const supportDialog = () => import('../../features/support/web/SupportDialog.tsx')
