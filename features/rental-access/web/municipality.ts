import type { RouteDef } from '../../../web/routes.tsx'
import { staffConditions, staffDoorCode } from '../../rentals/web/parts/page-parts.ts'

staffDoorCode.fill(() => import('./StaffDoorCode.tsx'))
staffConditions.fill(() => import('./StaffConditions.tsx'))

export const screens: RouteDef[] = [
  {
    path: '/municipality/manage/manage-resource-rentals/{resourceId}/fields',
    screen: () => import('./FieldsScreen.tsx'),
  },
]
