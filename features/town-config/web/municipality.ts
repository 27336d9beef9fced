import type { DashboardCard } from '../../../web/municipality/dashboard.ts'
import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/settings', screen: () => import('./information/InformationScreen.tsx') },
]

/** Link to the next step of Get Started, in the top bar of all screens. */
export const nextStep = () => import('./parts/NextStep.tsx')

export const cards: DashboardCard[] = [
  {
    id: 'get-started',
    needs: ['settings', 'view'],
    card: () => import('./parts/GetStartedCard.tsx'),
    mayBeEmpty: true,
  },
]
