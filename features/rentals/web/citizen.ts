import type { RouteDef } from '../../../web/routes.tsx'

export const screens: RouteDef[] = [
  { path: '/resource-rentals', screen: () => import('./RentalsScreen.tsx') },
  { path: '/resource-rentals/{resourceId}', screen: () => import('./RentalScreen.tsx') },
  { path: '/resource-rentals/{resourceId}/series', screen: () => import('./AskSeriesScreen.tsx') },
  { path: '/resource-rentals/agreement/{token}', screen: () => import('./SignScreen.tsx') },
  { path: '/resource-rentals/reservation/{reservationId}', screen: () => import('./ReservationScreen.tsx') },
  { path: '/resource-rentals/season/{roundId}', screen: () => import('./SeasonScreen.tsx') },
]
