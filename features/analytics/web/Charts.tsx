import type { Answer } from './parts.ts'
import { ChannelsChart, PaymentsChart } from './PaymentCharts.tsx'
import { FailuresChart, SignInsChart, SignUpsChart } from './UseCharts.tsx'
import type { Question } from './use-question.ts'

export interface ChartProps {
  data: Answer
  question: Question
}

/** One picture for each question that the screen answers. */
export const Charts = (props: ChartProps) => (
  <div className="grid gap-5 lg:grid-cols-2 print:block">
    <PaymentsChart {...props} />
    <ChannelsChart {...props} />
    <SignUpsChart {...props} />
    <SignInsChart {...props} />
    <FailuresChart {...props} />
  </div>
)
