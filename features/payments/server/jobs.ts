import type { AppContext } from '../../../server/app-context.ts'
import { drawReceipts } from './emails.ts'
import { reconcile } from './reconcile.ts'
import { defineKeeping } from './outage/keep-promises.ts'
import { defineWatch } from './outage/watch.ts'
import { sendWaitingRefunds } from './send-refund.ts'
import { tellOffices } from './tell-office.ts'

/** Every minute what we believe is held against what the provider knows; receipts are drawn when their mails leave. */
export function definePaymentJobs(context: AppContext): void {
  drawReceipts(context)
  defineWatch(context)
  defineKeeping(context)
  context.jobs.define('payments.reconcile', async () => void (await reconcile(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  context.jobs.define('payments.refunds', async () => void (await sendWaitingRefunds(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  context.jobs.define('payments.tell_offices', async () => tellOffices(context), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
