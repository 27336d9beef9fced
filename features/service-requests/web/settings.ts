import type { RouteDef } from '../../../web/routes.tsx'

/** How the town deals with requests: what can be reported, and by which rules. */
export const screens: RouteDef[] = [
  {
    path: '/municipality/manage/customer-communication/categories',
    screen: () => import('./municipality/CategoriesScreen.tsx'),
  },
  {
    path: '/municipality/manage/customer-communication/categories/{categoryId}/fields',
    screen: () => import('./municipality/CategoryFieldsScreen.tsx'),
  },
]
