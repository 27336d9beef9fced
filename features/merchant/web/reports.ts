import { useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/messages.ts'
import { download } from '../../../web/download.ts'
import { paymentReport } from '../../payment-report/list.ts'
import { refundList } from '../../refunds/list.ts'
import { payouts } from '../../reconciliation/list.ts'
import { exportForm1099k, exportOverview } from '../contract.ts'
import { FORM_1099K, OVERVIEW, type PageId, pageLabels, type Period } from '../rules.ts'
import { paymentsOf } from './labels.ts'
import { orderStatus } from '../../payments/rules.ts'

export interface Report {
  page: PageId
  name: string
  text: string
  to: string
  /** Saves the report as a file. Undefined if the report has no separate file. */
  save?: () => Promise<void>
}

/** Returns the reports in the order in which money moves. `period` is the period of an exported file. */
export function useReports(period: Period): Report[] {
  const { t } = useLingui()
  const report = (page: PageId, description: string, to: string, save?: () => Promise<void>): Report => ({
    page,
    name: translated(pageLabels[page]),
    text: description,
    to,
    ...(save && { save }),
  })
  const { csv: paymentsFile } = paymentReport
  const { csv: payoutsFile } = payouts
  const { csv: refundsFile } = refundList
  const payments = (narrowed: object) =>
    paymentsFile ? () => download(paymentsFile.call, { filters: { ...period, ...narrowed } } as never) : undefined
  return [
    report(
      'overview',
      t`Volume, approvals, returns, disputes and fees, compared with the previous period.`,
      OVERVIEW,
      () => download(exportOverview, period),
    ),
    report('payments', t`Each card and eCheck payment.`, paymentsOf(period), payments({})),
    report(
      'declines',
      t`Declined payments, with the reason.`,
      paymentsOf(period, { status: '2' }),
      payments({ status: orderStatus.declined }),
    ),
    report(
      'payouts',
      t`Payouts to your bank and their arrival dates.`,
      '/municipality/reports/payouts',
      payoutsFile && (() => download(payoutsFile.call, { filters: period } as never)),
    ),
    report(
      'payout-transactions',
      t`Open a payout to see each payment, refund and return with its cost. Each payout has its own file.`,
      '/municipality/reports/payouts',
    ),
    report('fees', t`Fees paid by payers and the municipality, and the processor’s cost.`, `${OVERVIEW}#fees`, () =>
      download(exportOverview, period),
    ),
    report(
      'refunds',
      t`Refunds that staff started, including refunds awaiting approval.`,
      '/municipality/reports/refunds',
      refundsFile && (() => download(refundsFile.call, { filters: period } as never)),
    ),
    report('returns', t`Returned eChecks, grouped by return code.`, `${OVERVIEW}#returns`),
    report(
      'disputes',
      t`Payments that payers have disputed with their banks.`,
      paymentsOf(period, { disputed: 'open' }),
      payments({ disputed: 'open' }),
    ),
    report('form-1099k', t`Gross amounts by month, compared with the processor’s reported amounts.`, FORM_1099K, () =>
      download(exportForm1099k, { year: Number(period.toDate.slice(0, 4)) }),
    ),
  ]
}
