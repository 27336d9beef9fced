import { municipalityRoutes as calendar } from '../../features/calendar/web/routes.tsx'
import { municipalityRoutes as customers } from '../../features/customers/web/routes.tsx'
import { municipalityRoutes as impersonation } from '../../features/impersonation/web/routes.tsx'
import { municipalityRoutes as paymentReport } from '../../features/payments/web/report/routes.tsx'
import type { RouteDef } from '../routes.tsx'

/** The municipality screens, feature by feature. */
export const routes: RouteDef[] = [...calendar, ...paymentReport, ...customers, ...impersonation]
