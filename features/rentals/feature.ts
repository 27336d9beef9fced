import type { Feature } from '../../server/feature.ts'
import { certificateCalls } from './server/certificate-calls.ts'
import { accessCalls } from './server/access-calls.ts'
import { agreementCalls } from './server/agreement-calls.ts'
import { applicationCalls } from './server/applications.ts'
import { staffCalls, rentalLists } from './server/staff-calls.ts'
import { feedCalls } from './server/feeds.ts'
import { findableRentals } from './server/findable.ts'
import './server/in-calendar.ts'
import { manageCalls, resourceLists } from './server/manage.ts'
import { mountRentalPhotos, photoCalls } from './server/photos.ts'
import { rentalDayCall, useLists } from './server/reports.ts'
import { fieldCalls } from './server/resource-fields.ts'
import { residentCalls } from './server/resident.ts'
import { defineAccessJobs } from './server/give-codes.ts'
import { defineRoundJobs } from './server/allocate.ts'
import { roundStaffCalls } from './server/round-staff-calls.ts'
import { roundCalls } from './server/round-resident.ts'
import { defineRentalJobs } from './server/tell.ts'
import { residentSeriesCalls } from './server/series-of-resident.ts'
import { seriesCalls } from './server/series.ts'
import { rentalsUnderWay } from './server/under-way.ts'
import { waitCalls } from './server/wait.ts'

export const rentals: Feature = {
  calls: [
    ...residentCalls,
    ...rentalLists,
    ...staffCalls,
    ...resourceLists,
    ...manageCalls,
    ...seriesCalls,
    ...residentSeriesCalls,
    ...agreementCalls,
    ...fieldCalls,
    ...waitCalls,
    ...photoCalls,
    ...certificateCalls,
    ...feedCalls,
    ...useLists,
    rentalDayCall,
    ...roundCalls,
    ...roundStaffCalls,
    ...applicationCalls,
    ...accessCalls,
  ],
  mount: [mountRentalPhotos],
  jobs: (context) => {
    defineRentalJobs(context)
    defineRoundJobs(context)
    defineAccessJobs(context)
  },
  findable: [findableRentals],
  matters: [rentalsUnderWay],
  waiting: [
    {
      label: 'Rentals to approve',
      to: '/municipality/manage/manage-resource-rentals?approve=1',
      policy: 'manage_other_payments',
      table: 'rental_reservation',
      status: 'requested',
      together: 'series_id',
    },
    {
      label: 'Insurance certificates to look at',
      to: '/municipality/manage/manage-resource-rentals?certificate=1',
      policy: 'manage_other_payments',
      table: 'rental_certificate',
      status: 'sent',
    },
  ],
  demo: () => import('./demo.ts'),
}
