import type { Feature } from '../../server/feature.ts'
import { definePaymentJobs } from './server/jobs.ts'
import { verifyMoney } from './server/ledger/verify-money.ts'
import { providerOrigins } from './server/providers/hosted-fields.ts'
import { mountProviderEvents } from './server/providers/provider-events.ts'

export const payments: Feature = {
  origins: providerOrigins,
  mount: [mountProviderEvents],
  jobs: definePaymentJobs,
  retention: [
    { table: 'checkout_link', since: 'expires_at', days: 30 },
    { table: 'held_movement', since: 'at', days: 60 },
    // Deletes only applied events, so that staff can review the others.
    { table: 'provider_event', since: 'applied_at', days: 90 },
  ],
  awaitingStaff: [
    {
      label: 'Unpaid service fees',
      to: '/municipality/reports/payments?fee=owed',
      policy: 'payments',
      table: 'payment_fee',
      status: 'owed',
    },
  ],
  verify: verifyMoney,
}
