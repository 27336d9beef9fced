import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/relocate', screen: () => import('./RelocateScreen.tsx'), rendered: 'cached' },
  { path: '/relocate/move-in', screen: () => import('./MoveInScreen.tsx') },
  { path: '/relocate/move-out', screen: () => import('./MoveOutScreen.tsx') },
  { path: '/relocate/move-within', screen: () => import('./MoveWithinScreen.tsx') },
  {
    path: '/relocate/request/{token}',
    screen: () => import('./MyMoveScreen.tsx'),
    ...{ rendered: 'token', startsUnprompted: true },
  },
  { path: '/relocate/owner/{token}', screen: () => import('./OwnerScreen.tsx'), rendered: 'token' },
]
