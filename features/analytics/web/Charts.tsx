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
  <div className="grid items-start gap-5 lg:grid-cols-2 print:block print:space-y-4">
    <div className="min-w-0 lg:col-span-2">
      <PaymentsChart {...props} />
    </div>
    <ChannelsChart {...props} />
    <SignUpsChart {...props} />
    <SignInsChart {...props} />
    <FailuresChart {...props} />
  </div>
)
