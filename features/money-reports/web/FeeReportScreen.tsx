import { Trans } from '@lingui/react/macro'
import { type FeeProgram, programs } from '../../payments/rules-fees.ts'
import { useQueryText } from '../../../web/routes.tsx'
import { feeReport } from '../list.ts'
import { CompanyReport } from './CompanyReport.tsx'
import { FeeSlideOut } from './FeeSlideOut.tsx'
import { periodOf, textsIn } from './report-filters.tsx'

/** Convenience fees of each company (spec 2.12, 2.18). */
export default function FeeReportScreen() {
  const { absorbFee, program, countedBy, ...dates } = textsIn(useQueryText())
  return (
    <CompanyReport
      of={feeReport}
      note={
        <Trans>
          From the ledger, by each municipality’s own days. Counted by the payment, refunds and returns are taken off
          the day of the payment that they take back, as in the Payment Transaction Report; counted by the money’s
          movement, off the day on which they happened, as at the bank. Absorb goes by who bore the fee of a payment
          when it was made, not by today’s setting.
        </Trans>
      }
      open={(companyId, onClose) => (
        <FeeSlideOut
          companyId={companyId}
          period={periodOf(dates)}
          absorbFee={absorbFee === '1' || absorbFee === '0' ? absorbFee : undefined}
          program={Object.hasOwn(programs, program ?? '') ? (program as FeeProgram) : undefined}
          countedBy={countedBy === 'money' ? 'money' : 'payment'}
          onClose={onClose}
        />
      )}
    />
  )
}
