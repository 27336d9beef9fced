import type { AppContext } from '../../../server/app-context.ts'
import { reconcile } from './attempts/reconcile.ts'
import { renderReceipts } from './emails/emails.ts'
import { notifyOffices } from './emails/notify-office.ts'

/**
 * Defines the job that reconciles payments with the provider every minute. Receipts are rendered when their emails are
 * sent.
 */
export function definePaymentJobs(context: AppContext): void {
  renderReceipts(context)
  context.jobs.define('payments.reconcile', async () => void (await reconcile(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  context.jobs.define('payments.notify_offices', async () => notifyOffices(context), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
