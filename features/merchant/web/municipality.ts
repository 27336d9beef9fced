import type { RouteDef } from '../../../web/routes.tsx'
import { ACCESSES, FORM_1099K, OVERVIEW, REPORTS } from '../rules.ts'

export const screens: RouteDef[] = [
  { path: OVERVIEW, screen: () => import('./OverviewScreen.tsx') },
  { path: FORM_1099K, screen: () => import('./Form1099kScreen.tsx') },
  { path: REPORTS, screen: () => import('./ProcessorReportsScreen.tsx') },
  { path: ACCESSES, screen: () => import('./AccessesScreen.tsx') },
]
