import type { Feature } from '../../server/feature.ts'
import { defineRoundJobs } from './server/allocate.ts'
import { applicationCalls } from './server/applications.ts'
import './server/closures.ts'
import { roundCalls } from './server/round-resident.ts'
import { roundStaffCalls } from './server/round-staff-calls.ts'

export const rentalSeasons: Feature = {
  module: 'rentals',
  calls: [...roundCalls, ...roundStaffCalls, ...applicationCalls],
  jobs: defineRoundJobs,
  demo: () => import('./demo.ts'),
}
