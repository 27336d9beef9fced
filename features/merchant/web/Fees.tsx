import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { Panel } from '../../../web/ui/Card.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import type { PartProps } from './parts.ts'

/** Fees paid by payers and by the company, and the provider's cost. */
export function Fees({ data: { fees } }: PartProps) {
  const { t } = useLingui()
  const row = (name: string, of: (one: typeof fees.now) => number) => ({
    name,
    cells: [formatCents(of(fees.now)), formatCents(of(fees.before))],
  })
  return (
    <Panel id="fees" title={<Trans>Fees</Trans>}>
      <FiguresTable
        caption={t`Fees in this period and the previous period`}
        head={t`Fee`}
        columns={[t`This period`, t`Previous period`]}
        rows={[
          row(t`Paid by payers`, ({ paidCents }) => paidCents),
          row(t`Absorbed by the municipality`, ({ absorbedCents }) => absorbedCents),
          row(t`Refunded or returned`, ({ refundCents }) => refundCents),
          row(t`Provider cost`, ({ costCents }) => costCents),
        ]}
      />
      <p className="mt-2 text-muted text-sm">
        <Trans>Provider cost comes from the payouts in this period.</Trans>
      </p>
    </Panel>
  )
}
