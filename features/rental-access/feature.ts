import type { Feature } from '../../server/feature.ts'
import { accessCalls } from './server/access-calls.ts'
import { agreementCalls } from './server/agreement-calls.ts'
import { certificateCalls } from './server/certificate-calls.ts'
import './server/conditions.ts'
import { defineAccessJobs } from './server/sync-access-codes.ts'
import { fieldCalls } from './server/resource-fields.ts'

export const rentalAccess: Feature = {
  module: 'rentals',
  calls: [...agreementCalls, ...fieldCalls, ...certificateCalls, ...accessCalls],
  jobs: defineAccessJobs,
  awaitingStaff: [
    {
      label: 'Certificates of insurance to review',
      to: '/municipality/manage/manage-resource-rentals?certificate=1',
      policy: 'rentals',
      table: 'rental_certificate',
      status: 'sent',
    },
  ],
  demo: () => import('./demo.ts'),
}
