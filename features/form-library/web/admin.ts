import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/admin/manage/manage-forms-and-docs', screen: () => import('./FormsScreen.tsx') },
]
