import type { Feature } from '../../server/feature.ts'
import { analyticsCall, analyticsCsvCall } from './server/analytics.ts'
import { defineAnalyticsJobs } from './server/roll-up.ts'

export const analytics: Feature = {
  calls: [analyticsCall, analyticsCsvCall],
  jobs: defineAnalyticsJobs,
  demo: () => import('./demo.ts'),
}
