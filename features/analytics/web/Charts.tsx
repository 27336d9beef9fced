import type { ChartProps } from './ChartPanel.tsx'
import { ChannelsChart, PaymentsChart } from './PaymentCharts.tsx'
import { SupportCharts } from './SupportCharts.tsx'
import { FailuresChart, SignInsChart, SignUpsChart } from './UseCharts.tsx'

export const Charts = (props: ChartProps) => (
  <div className="analytics">
    <PaymentsChart {...props} />
    <ChannelsChart {...props} />
    <SignUpsChart {...props} />
    <SignInsChart {...props} />
    <FailuresChart {...props} />
    <SupportCharts {...props} />
  </div>
)
