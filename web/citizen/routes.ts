import { citizenRoutes as companies } from '../../features/companies/web/routes.ts'
import { citizenRoutes as identity } from '../../features/identity/web/routes.ts'
import { citizenRoutes as impersonation } from '../../features/impersonation/web/routes.tsx'
import { citizenRoutes as guestPayments } from '../../features/payments/web/guest/routes.ts'
import { citizenRoutes as utilityAccounts } from '../../features/utility-accounts/web/routes.ts'
import type { RouteDef } from '../routes.tsx'

/** The citizen screens, feature by feature. */
export const routes: RouteDef[] = [...companies, ...identity, ...utilityAccounts, ...guestPayments, ...impersonation]
