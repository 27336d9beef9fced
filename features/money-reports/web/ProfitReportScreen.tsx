import { Trans, useLingui } from '@lingui/react/macro'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam, useQueryText } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { profitReport } from '../list.ts'
import { useCompanyName } from './company-name.ts'
import { ProfitMonths } from './ProfitMonths.tsx'
import { companyField, companyOf, periodOf, textsIn } from './report-filters.tsx'

/** What the provider earned by each company and in each month (specification 2.12). */
export default function ProfitReportScreen() {
  const filters = textsIn(useQueryText())
  const open = companyOf({ companyId: useQueryParam('of') ?? '' })
  const show = ({ id }: { id: number }) => setQuery({ of: String(id) })
  return (
    <>
      <ListScreen
        of={profitReport}
        rowName={({ name }) => name}
        cells={{ name: ({ name }) => <strong>{name}</strong> }}
        filters={{ companyId: companyField }}
        actions={{ view: show }}
        onRow={show}
        note={
          <p className="mt-4 max-w-text text-muted text-sm">
            <Trans>
              From the revenue and expense accounts of the ledger, by each municipality’s own days. A fee that a
              municipality absorbs is revenue and expense alike until the ledger records that it was billed.
            </Trans>
          </p>
        }
      />
      <section aria-labelledby="months" className="mt-8">
        <h2 id="months" className="mb-4">
          <Trans>Month by month</Trans>
        </h2>
        <ProfitMonths period={periodOf(filters)} company={companyOf(filters)} />
      </section>
      {open !== undefined && (
        <CompanySlideOut id={open} period={periodOf(filters)} onClose={() => setQuery({ of: null })} />
      )}
    </>
  )
}

interface SlideOutProps {
  id: number
  period: { fromDate: string; toDate: string }
  onClose: () => void
}

/** Each account of one company, each month. */
function CompanySlideOut({ id, period, onClose }: SlideOutProps) {
  const { t } = useLingui()
  const name = useCompanyName(id)
  return (
    <SlideOut
      title={name ? t`Profit and loss of ${name}` : t`Profit and loss`}
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <ProfitMonths period={period} company={id} />
    </SlideOut>
  )
}
