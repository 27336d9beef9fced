import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Printer } from 'lucide-react'
import { formatShortDate } from '../../../shared/dates.ts'
import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { exportOverview, merchantOverview } from '../contract.ts'
import { FORM_1099K } from '../rules.ts'
import { Declines } from './Declines.tsx'
import { Disputes, Returns } from './Risks.tsx'
import { Fees } from './Fees.tsx'
import type { PartProps } from './parts.ts'
import { Payouts } from './Payouts.tsx'
import { useDays } from './use-days.ts'
import { VolumePanel } from './VolumePanel.tsx'

/** Screen with a company's card and eCheck payments, failures and payout dates (spec 2.3). */
export default function OverviewScreen() {
  const { field, period } = useDays()
  const response = useResponse(merchantOverview, period, { keepPrevious: true })
  const save = () => download(exportOverview, period).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  return (
    <>
      <PageHead
        title={<Trans>Merchant Overview</Trans>}
        actions={
          <>
            <LinkButton to={FORM_1099K}>
              <Trans>Form 1099-K</Trans>
            </LinkButton>
            {may('merchant_reports', 'create') && (
              <Button icon={Download} onClick={() => void save()}>
                <Trans>Export CSV</Trans>
              </Button>
            )}
            <Button icon={Printer} onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
          </>
        }
      >
        <Trans>
          Each payment is counted on the date it was made, as in the Payment Transaction Report. Later refunds and
          returns are deducted from that day’s total.
        </Trans>
      </PageHead>
      <div className="mb-5 print:hidden">{field?.node}</div>
      <ResponseView response={response} loading={<Trans>Loading totals</Trans>} shape="block">
        {(data) => <OverviewContent data={data} />}
      </ResponseView>
    </>
  )
}

function OverviewContent({ data }: PartProps) {
  const { t } = useLingui()
  const [from, to] = [formatShortDate(data.period.fromDate), formatShortDate(data.period.toDate)]
  const before = `${formatShortDate(data.before.fromDate)} – ${formatShortDate(data.before.toDate)}`
  const nothing = data.volume.now.payments === 0 && data.attempts.now.declined === 0
  return (
    <>
      <p className="mb-4 text-muted" role="status">
        <Trans>
          {from} – {to}, compared with {before}
        </Trans>
      </p>
      <div className="flex flex-col gap-6">
        {nothing ? (
          <EmptyState title={t`No payments in this period`}>
            <Trans>Choose another period above. Payouts in transit are shown below.</Trans>
          </EmptyState>
        ) : (
          <>
            <VolumePanel data={data} />
            <Declines data={data} />
            <Returns data={data} />
            <Disputes data={data} />
            <Fees data={data} />
          </>
        )}
        <Payouts data={data} />
      </div>
    </>
  )
}
