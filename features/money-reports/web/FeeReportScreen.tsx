import { Trans } from '@lingui/react/macro'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam, useQueryText } from '../../../web/routes.tsx'
import { feeReport } from '../list.ts'
import { FeeSlideOut } from './FeeSlideOut.tsx'
import { companyField, companyOf, periodOf, textsIn } from './report-filters.tsx'

/** What the convenience fees of each company came to (specification 2.12, 2.18). */
export default function FeeReportScreen() {
  const filters = textsIn(useQueryText())
  const open = companyOf({ companyId: useQueryParam('of') ?? '' })
  const show = ({ id }: { id: number }) => setQuery({ of: String(id) })
  return (
    <>
      <ListScreen
        of={feeReport}
        rowName={({ name }) => name}
        cells={{ name: ({ name }) => <strong>{name}</strong> }}
        filters={{ companyId: companyField }}
        actions={{ view: show }}
        onRow={show}
        note={
          <p className="mt-4 max-w-text text-muted text-sm">
            <Trans>
              From the ledger, by each municipality’s own days. Counted by the payment, refunds and returns are taken
              off the day of the payment that they take back, as in the Payment Transaction Report; counted by the
              money’s movement, off the day on which they happened, as at the bank. Absorb goes by who bore the fee of a
              payment when it was made, not by today’s setting.
            </Trans>
          </p>
        }
      />
      {open !== undefined && (
        <FeeSlideOut
          companyId={open}
          period={periodOf(filters)}
          absorbFee={filters.absorbFee === '1' || filters.absorbFee === '0' ? filters.absorbFee : undefined}
          countedBy={filters.countedBy === 'money' ? 'money' : 'payment'}
          onClose={() => setQuery({ of: null })}
        />
      )}
    </>
  )
}
