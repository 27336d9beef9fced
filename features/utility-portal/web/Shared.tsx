import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { useResponse } from '../../../web/query.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { returnShared } from '../contract.ts'
import { ShutoffNotice } from './ShutoffNotice.tsx'
import { UsePanel, YearPanel } from './YearPanels.tsx'

/** Shared data: usage of an address by month, or the past due status of its account. */
export function Shared({ shareId }: { shareId: number }) {
  const { t } = useLingui()
  const { data, error, refetch } = useResponse(returnShared, { shareId })
  if (error && !data)
    return (
      <Failed
        error={error}
        title={<Trans>This information could not be loaded</Trans>}
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return (
      <LoadingState shape="block">
        <Trans>Loading the shared information</Trans>
      </LoadingState>
    )
  const { address, uses, billed, watched } = data
  if (watched) {
    const late = formatCents(watched.pastDueCents)
    return (
      <div className="grid gap-4">
        <Notice tone={watched.pastDueCents > 0 ? 'warning' : 'success'} title={address}>
          {watched.pastDueCents > 0 ? (
            <Trans>{late} is past due on this account.</Trans>
          ) : (
            <Trans>Nothing is past due on this account.</Trans>
          )}
        </Notice>
        {watched.shutoff && <ShutoffNotice of={watched.shutoff} pastDueCents={watched.pastDueCents} />}
      </div>
    )
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      {uses.length === 0 && (
        <Notice title={address}>
          <Trans>No usage was measured at this address in the previous two years.</Trans>
        </Notice>
      )}
      {uses.map((one, nth) => (
        <UsePanel key={one.unit} id={`shared-${nth}`} uses={one} />
      ))}
      {billed.length > 0 && (
        <YearPanel id="shared-billed" title={t`Billed amounts`} months={billed} format={formatCents}>
          <Trans>No bills in the previous two years.</Trans>
        </YearPanel>
      )}
    </div>
  )
}
