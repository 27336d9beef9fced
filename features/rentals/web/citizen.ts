import type { RouteDef } from '../../../web/routes.tsx'
import { conditions, seasonCards } from './parts/page-parts.ts'

export const screens: RouteDef[] = [
  {
    path: '/resource-rentals',
    screen: () => {
      seasonCards.preload()
      return import('./RentalsScreen.tsx')
    },
  },
  { path: '/resource-rentals/{resourceId}', screen: () => import('./RentalScreen.tsx') },
  { path: '/resource-rentals/{resourceId}/series', screen: () => import('./RequestSeriesScreen.tsx') },
  {
    path: '/resource-rentals/reservation/{reservationId}',
    screen: () => {
      conditions.preload()
      return import('./ReservationScreen.tsx')
    },
  },
]
