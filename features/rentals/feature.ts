import type { Feature } from '../../server/feature.ts'
import { deskCalls, rentalLists } from './server/desk.ts'
import { findableRentals } from './server/findable.ts'
import { manageCalls, resourceLists } from './server/manage.ts'
import { residentCalls } from './server/resident.ts'
import { defineRentalJobs } from './server/tell.ts'
import { rentalsUnderWay } from './server/under-way.ts'

export const rentals: Feature = {
  calls: [...residentCalls, ...rentalLists, ...deskCalls, ...resourceLists, ...manageCalls],
  jobs: defineRentalJobs,
  findable: [findableRentals],
  matters: [rentalsUnderWay],
  waiting: [
    {
      label: 'Rentals to approve',
      to: '/municipality/manage/manage-resource-rentals?status=requested',
      policy: 'manage_other_payments',
      table: 'rental_reservation',
      status: 'requested',
    },
  ],
  demo: () => import('./demo.ts'),
}
