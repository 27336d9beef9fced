import { Trans } from '@lingui/react/macro'
import { type FeeProgram, programs } from '../../payments/rules-fees.ts'
import { useQueryText } from '../../../web/routes.tsx'
import { feeReport } from '../list.ts'
import { CompanyReport } from './CompanyReport.tsx'
import { FeeSlideOut } from './FeeSlideOut.tsx'
import { periodOf, textsIn } from './report-filters.tsx'

/** Screen with the convenience fees of each company (spec 2.12, 2.18). */
export default function FeeReportScreen() {
  const { absorbFee, program, countedBy, ...dates } = textsIn(useQueryText())
  return (
    <CompanyReport
      of={feeReport}
      note={
        <Trans>
          Amounts come from the ledger, in each municipality’s time zone. With “Payment date”, refunds and returns are
          deducted on the day of the original payment, as in the Payment Transaction Report. With “Date the money
          moved”, refunds and returns are deducted on the day when they happened, as on a bank statement. The Absorb
          filter uses the setting at the time of the payment, not today’s setting.
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
