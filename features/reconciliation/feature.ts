import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { statementFiles } from './contract.ts'
import { closePeriodCall, reconcileDayCall } from './server/day.ts'
import { exceptionCalls } from './server/exceptions.ts'
import { glCalls } from './server/gl.ts'
import { defineReconciliationJobs } from './server/jobs.ts'
import { eventCalls } from './server/list-events.ts'
import { listCalls } from './server/lists.ts'
import { showCompanyCall } from './server/show-company.ts'
import { importStatementCall } from './server/take-statement.ts'
import { tryEventCall } from './server/try-event.ts'
import { verifyReconciliation } from './server/verify.ts'

export const reconciliation: Feature = {
  calls: [
    ...eventCalls,
    tryEventCall,
    showCompanyCall,
    ...listCalls,
    reconcileDayCall,
    closePeriodCall,
    ...exceptionCalls,
    importStatementCall,
    ...partCalls(statementFiles),
    ...glCalls,
  ],
  awaitingStaff: [
    {
      label: 'Reconciliation exceptions',
      to: '/municipality/reports/exceptions?status=open',
      policy: 'reconcile',
      table: 'recon_exception',
      status: 'open',
    },
  ],
  jobs: defineReconciliationJobs,
  verify: verifyReconciliation,
  demo: () => import('./demo.ts'),
}
