import type { AppContext } from '../../../server/app-context.ts'
import { reconcile } from './attempts/reconcile.ts'
import { registerReceiptRenderer } from './emails/emails.ts'
import { notifyOffices } from './emails/notify-office.ts'

/**
 * Defines two jobs. One reconciles payments with the provider every minute, and the other emails new payments to
 * offices every 10 minutes. Receipts are rendered when their emails are sent.
 */
export function definePaymentJobs(context: AppContext): void {
  registerReceiptRenderer(context)
  context.jobs.define('payments.reconcile', async () => void (await reconcile(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
  context.jobs.define('payments.notify_offices', async () => notifyOffices(context), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
