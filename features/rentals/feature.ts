import type { Feature } from '../../server/feature.ts'
import { deskCalls, rentalLists } from './server/desk.ts'
import { manageCalls, resourceLists } from './server/manage.ts'
import { residentCalls } from './server/resident.ts'
import { defineRentalJobs } from './server/tell.ts'

export const rentals: Feature = {
  calls: [...residentCalls, ...rentalLists, ...deskCalls, ...resourceLists, ...manageCalls],
  jobs: defineRentalJobs,
  demo: () => import('./demo.ts'),
}
