import type { Feature } from '../../server/feature.ts'
import { copyResourceCall } from './server/copy-resource.ts'
import { feedCalls } from './server/feeds.ts'
import { findableRentals } from './server/findable.ts'
import './server/import-reservations.ts'
import './server/in-calendar.ts'
import { manageCalls, resourceLists } from './server/manage.ts'
import { mountRentalPhotos, photoCalls } from './server/photos.ts'
import { residentCalls } from './server/resident.ts'
import { residentSeriesCalls } from './server/series-of-resident.ts'
import { seriesCalls } from './server/series.ts'
import { rentalLists, staffCalls } from './server/staff-calls.ts'
import { defineRentalJobs } from './server/notify.ts'
import { ongoingRentals } from './server/ongoing.ts'
import { waitCalls } from './server/wait.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { rentalStates } from './states.ts'
import { rentalSteps } from './server/setup-steps.ts'
import { reservationLookup } from './server/lookup.ts'

export const rentals: Feature = {
  module: 'rentals',
  lookups: [reservationLookup],
  openRecords: { table: 'rental_reservation', column: 'status', states: openStatesOf(rentalStates) },
  setup: rentalSteps,
  calls: [
    ...residentCalls,
    ...rentalLists,
    ...staffCalls,
    ...resourceLists,
    ...manageCalls,
    copyResourceCall,
    ...seriesCalls,
    ...residentSeriesCalls,
    ...waitCalls,
    ...photoCalls,
    ...feedCalls,
  ],
  mount: [mountRentalPhotos],
  jobs: defineRentalJobs,
  findable: [findableRentals],
  ongoingItems: [ongoingRentals],
  awaitingStaff: [
    {
      label: 'Rentals to approve',
      to: '/municipality/manage/manage-resource-rentals?approve=1&sort=startsAt&direction=asc',
      policy: 'rentals',
      table: 'rental_reservation',
      status: 'requested',
      together: 'series_id',
    },
  ],
  demo: () => import('./demo.ts'),
}
