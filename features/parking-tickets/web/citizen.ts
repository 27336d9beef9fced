import type { RouteDef } from '../../../web/routes.tsx'

const find = () => import('./citizen/FindTicketsScreen.tsx')

export const screens: RouteDef[] = [
  { path: '/parking-tickets', screen: find, rendered: 'cached' },
  { path: '/parking-ticket-payment', screen: find, rendered: 'cached' },
  {
    path: '/parking-ticket-contest/{token}',
    screen: () => import('./citizen/ContestScreen.tsx'),
    rendered: 'token',
    startsUnprompted: true,
  },
]
