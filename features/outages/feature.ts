import type { Feature } from '../../server/feature.ts'
import { deferredPaymentCalls } from './server/defer-payment.ts'
import { outageLists } from './server/lists.ts'
import { outageCalls } from './server/outage-calls.ts'
import { defineDeferredPaymentJobs } from './server/run-deferred-payments.ts'
import { defineWatch } from './server/watch.ts'

export const outages: Feature = {
  calls: [...deferredPaymentCalls, ...outageCalls, ...outageLists],
  jobs: (context) => {
    defineWatch(context)
    defineDeferredPaymentJobs(context)
  },
  demo: () => import('./demo.ts'),
}
