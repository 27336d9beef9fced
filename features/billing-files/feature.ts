import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { balanceFile, billFiles } from './contract.ts'
import { mountBillingCalls } from './server/by-call.ts'
import { correctBillingLinesCall, downloadBillingErrorsCall, returnBillingErrorsCall } from './server/errors-file.ts'
import { defineFolderJob } from './server/folder.ts'
import { importBalancesCall } from './server/import-balances.ts'
import { billingFileCalls, billingLineCalls, remittanceFileCalls } from './server/lists.ts'
import { defineFileJobs } from './server/preview.ts'
import { defineRemittanceJob, downloadRemittancesCall } from './server/remittances.ts'
import {
  changeBillingFileCall,
  chooseBillingColumnsCall,
  chooseBillingSheetCall,
  previewBillsCall,
  returnBillingFileCall,
} from './server/upload.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { billingFileStates } from './states.ts'

export const billingSystem: Feature = {
  module: 'billing_files',
  openRecords: { table: 'billing_file', column: 'state', states: openStatesOf(billingFileStates) },
  calls: [
    ...billingFileCalls,
    ...billingLineCalls,
    ...remittanceFileCalls,
    previewBillsCall,
    returnBillingFileCall,
    changeBillingFileCall,
    chooseBillingColumnsCall,
    chooseBillingSheetCall,
    correctBillingLinesCall,
    downloadBillingErrorsCall,
    returnBillingErrorsCall,
    downloadRemittancesCall,
    importBalancesCall,
    ...partCalls(billFiles),
    ...partCalls(balanceFile),
  ],
  mount: [mountBillingCalls],
  jobs: (context) => {
    defineFileJobs(context)
    defineRemittanceJob(context)
    if (context.config.billingFolder) defineFolderJob(context, context.config.billingFolder)
  },
  demo: () => import('./demo.ts'),
}
