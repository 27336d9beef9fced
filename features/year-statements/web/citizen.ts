import type { RouteDef } from '../../../web/routes.tsx'
import { PAID_IN_YEAR } from '../rules.ts'

export const screens: RouteDef[] = [{ path: PAID_IN_YEAR, screen: () => import('./PaidInYearScreen.tsx') }]
