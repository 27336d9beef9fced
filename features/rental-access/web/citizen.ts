import type { RouteDef } from '../../../web/routes.tsx'
import { conditions, questions } from '../../rentals/web/parts/page-parts.ts'

questions.fill(() => import('./Questions.tsx'))
conditions.fill(() => import('./Conditions.tsx'))

export const screens: RouteDef[] = [
  { path: '/resource-rentals/agreement/{token}', screen: () => import('./SignScreen.tsx'), rendered: 'token' },
]
