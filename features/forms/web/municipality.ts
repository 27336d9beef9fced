import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/municipality/manage/manage-forms-and-docs', screen: () => import('./municipality/TypesScreen.tsx') },
  {
    path: '/municipality/manage/manage-forms-and-docs/{typeId}/fields',
    screen: () => import('./municipality/FieldsScreen.tsx'),
  },
  { path: '/municipality/reports/forms-and-docs', screen: () => import('./municipality/SubmissionsScreen.tsx') },
]
