import type { House } from '../../../server/house.ts'
import { drawReceipts } from './letters.ts'
import { reconcile } from './reconcile.ts'
import { defineKeeping } from './outage/keep-promises.ts'
import { defineWatch } from './outage/watch.ts'
import { sendWaitingRefunds } from './send-refund.ts'
import { tellOffices } from './tell-office.ts'

/** Every minute what we believe is held against what the provider knows; receipts are drawn when their mails leave. */
export function definePaymentJobs(house: House): void {
  drawReceipts(house)
  defineWatch(house)
  defineKeeping(house)
  house.jobs.define('payments.reconcile', async () => void (await reconcile(house)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  house.jobs.define('payments.refunds', async () => void (await sendWaitingRefunds(house)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  house.jobs.define('payments.tell_offices', async () => tellOffices(house), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
