import type { AppContext } from '../../../server/app-context.ts'
import { drawReceipts } from './emails.ts'
import { reconcile } from './reconcile.ts'
import { defineDeferredPaymentJobs } from './outage/keep-promises.ts'
import { defineWatch } from './outage/watch.ts'
import { sendWaitingRefunds } from './send-refund.ts'
import { notifyOffices } from './tell-office.ts'

/**
 * Defines the job that reconciles payments with the provider every minute. Receipts are rendered when their emails are
 * sent.
 */
export function definePaymentJobs(context: AppContext): void {
  drawReceipts(context)
  defineWatch(context)
  defineDeferredPaymentJobs(context)
  context.jobs.define('payments.reconcile', async () => void (await reconcile(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  context.jobs.define('payments.refunds', async () => void (await sendWaitingRefunds(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  context.jobs.define('payments.tell_offices', async () => notifyOffices(context), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
