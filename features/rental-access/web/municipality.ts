import type { RouteDef } from '../../../web/routes.tsx'
import { deskConditions, deskDoorCode } from '../../rentals/web/parts/page-parts.ts'

deskDoorCode.fill(() => import('./DeskDoorCode.tsx'))
deskConditions.fill(() => import('./DeskConditions.tsx'))

export const screens: RouteDef[] = [
  {
    path: '/municipality/manage/manage-resource-rentals/{resourceId}/fields',
    screen: () => import('./FieldsScreen.tsx'),
  },
]
