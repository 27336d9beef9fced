import type { RouteDef } from '../../../web/routes.tsx'
import { ONBOARDING } from '../rules.ts'

export const screens: RouteDef[] = [{ path: ONBOARDING, screen: () => import('./CompanyScreen.tsx') }]
