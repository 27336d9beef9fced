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
        caption={t`Fees of these days and of those before`}
        head={t`Fee`}
        columns={[t`These days`, t`The days before`]}
        rows={[
          row(t`Paid by payers`, ({ paidCents }) => paidCents),
          row(t`Absorbed by the municipality`, ({ absorbedCents }) => absorbedCents),
          row(t`Given back with refunds and returns`, ({ backCents }) => backCents),
          row(t`Kept by the provider`, ({ costCents }) => costCents),
        ]}
      />
      <p className="mt-2 text-muted text-sm">
        <Trans>What the provider kept is that of the payouts of these days.</Trans>
      </p>
    </Panel>
  )
}
