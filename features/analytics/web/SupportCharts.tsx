import { Trans, useLingui } from '@lingui/react/macro'
import type { ChartProps } from './ChartPanel.tsx'
import { ByKind, OverTime } from './UseCharts.tsx'

/** Shows support requests received, support requests by state, and the time to close them. */
export function SupportCharts(props: ChartProps) {
  const { t } = useLingui()
  return (
    <>
      <OverTime
        {...props}
        id="requests-received"
        measure="requests_received"
        title={t`Support requests received`}
        summary={(count) => t`Support requests received over time: ${count}. The table below has the figures.`}
        none={<Trans>No support requests in this period.</Trans>}
      />
      <ByKind
        {...props}
        id="requests"
        measure="requests"
        title={t`Support requests by status`}
        none={<Trans>No support requests yet.</Trans>}
      />
      <ByKind
        {...props}
        id="requests-closed"
        measure="requests_closed"
        title={t`Time to close support requests`}
        none={<Trans>No support requests were closed in this period.</Trans>}
      />
    </>
  )
}
