import { useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/words.ts'
import { download } from '../../../web/download.ts'
import { paymentReport } from '../../payment-report/list.ts'
import { refundList } from '../../refunds/list.ts'
import { payouts } from '../../reconciliation/list.ts'
import { exportForm1099k, exportOverview } from '../contract.ts'
import { FORM_1099K, OVERVIEW, type PageId, pageLabels, type Period } from '../rules.ts'
import { paymentsOf } from './words.ts'
import { orderStatus } from '../../payments/rules.ts'

export interface Report {
  page: PageId
  name: string
  says: string
  to: string
  /** Saves the report as a file. Undefined if the report has no separate file. */
  save?: () => Promise<void>
}

/** Reports in the order in which money moves. `period`: the days of an exported file. */
export function useReports(period: Period): Report[] {
  const { t } = useLingui()
  const report = (page: PageId, description: string, to: string, save?: () => Promise<void>): Report => ({
    page,
    name: translated(pageLabels[page]),
    says: description,
    to,
    ...(save && { save }),
  })
  const { csv: paymentsFile } = paymentReport
  const { csv: payoutsFile } = payouts
  const { csv: refundsFile } = refundList
  const payments = (narrowed: object) =>
    paymentsFile ? () => download(paymentsFile.call, { filters: { ...period, ...narrowed } } as never) : undefined
  return [
    report('overview', t`Volume, approvals, returns, disputes and fees beside the days before.`, OVERVIEW, () =>
      download(exportOverview, period),
    ),
    report('payments', t`Each payment by card and eCheck.`, paymentsOf(period), payments({})),
    report(
      'declines',
      t`Payments that were declined, with the reason.`,
      paymentsOf(period, { status: '2' }),
      payments({ status: orderStatus.declined }),
    ),
    report(
      'payouts',
      t`What was sent to your bank, and when it arrives.`,
      '/municipality/reports/payouts',
      payoutsFile && (() => download(payoutsFile.call, { filters: period } as never)),
    ),
    report(
      'payout-transactions',
      t`Open a payout to see each payment, refund and return in it, with its cost; each has a file of its own.`,
      '/municipality/reports/payouts',
    ),
    report('fees', t`Who paid the fees, and what the processor kept.`, `${OVERVIEW}#fees`, () =>
      download(exportOverview, period),
    ),
    report(
      'refunds',
      t`What staff gave back, and what waits for a second person.`,
      '/municipality/reports/refunds',
      refundsFile && (() => download(refundsFile.call, { filters: period } as never)),
    ),
    report('returns', t`eChecks that the bank took back, by code.`, `${OVERVIEW}#returns`),
    report(
      'disputes',
      t`Payments that payers dispute at their banks.`,
      paymentsOf(period, { disputed: 'open' }),
      payments({ disputed: 'open' }),
    ),
    report('form-1099k', t`Gross amounts by month, beside what the processor reported.`, FORM_1099K, () =>
      download(exportForm1099k, { year: Number(period.toDate.slice(0, 4)) }),
    ),
  ]
}
