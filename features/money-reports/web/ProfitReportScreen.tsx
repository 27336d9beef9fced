import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryText } from '../../../web/routes.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { profitReport } from '../list.ts'
import { CompanyReport } from './CompanyReport.tsx'
import { useCompanyName } from './company-name.ts'
import { ProfitMonths } from './ProfitMonths.tsx'
import { companyOf, periodOf, textsIn } from './report-filters.tsx'

/** Screen with the platform's earnings by company and month (spec 2.12). */
export default function ProfitReportScreen() {
  const filters = textsIn(useQueryText())
  const period = periodOf(filters)
  return (
    <CompanyReport
      of={profitReport}
      note={
        <Trans>
          Amounts come from the ledger’s revenue and expense accounts, in each municipality’s time zone. An absorbed fee
          counts as both revenue and expense until the ledger records that the municipality was billed for the fee.
        </Trans>
      }
      open={(id, onClose) => <CompanySlideOut id={id} period={period} onClose={onClose} />}
    >
      <section aria-labelledby="months" className="mt-8">
        <h2 id="months" className="mb-4">
          <Trans>Monthly totals</Trans>
        </h2>
        <ProfitMonths period={period} company={companyOf(filters)} />
      </section>
    </CompanyReport>
  )
}

interface SlideOutProps {
  id: number
  period: { fromDate: string; toDate: string }
  onClose: () => void
}

/** Accounts of one company by month. */
function CompanySlideOut({ id, period, onClose }: SlideOutProps) {
  const { t } = useLingui()
  const name = useCompanyName(id)
  return (
    <SlideOut
      title={name ? t`Profit and loss for ${name}` : t`Profit and loss`}
      onClose={onClose}
      actions={<CloseAction onClose={onClose} />}
    >
      <ProfitMonths period={period} company={id} />
    </SlideOut>
  )
}
