import type { Feature } from '../../server/feature.ts'
import { form1099kCalls } from './server/form-1099k.ts'
import { overviewCalls } from './server/overview.ts'
import { processorReportCalls } from './server/processor-reports.ts'

export const merchant: Feature = {
  calls: [...overviewCalls, ...form1099kCalls, ...processorReportCalls],
  demo: () => import('./demo.ts'),
}
