import type { House } from '../../../server/house.ts'
import { reconcile } from './reconcile.ts'

/** Every minute what we believe is held against what the provider knows. */
export function definePaymentJobs(house: House): void {
  house.jobs.define('payments.reconcile', async () => void (await reconcile(house)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
}
