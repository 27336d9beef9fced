import type { Feature } from '../../server/feature.ts'
import { defineMethodDeletion } from './server/delete-method.ts'
import { transitionAutopayCall, skipAutopayCall, endAutopayByStaffCall } from './server/move-autopay.ts'
import { myAutopayCall } from './server/my-autopay.ts'
import { saveAutopayCall } from './server/save-autopay.ts'
import { addPaymentMethodCall, defineSetupJob, finishPaymentMethodCall } from './server/add-method.ts'
import { makeDefaultMethodCall, paymentMethodsCall, removePaymentMethodCall } from './server/methods.ts'
import { autopayRemovalCalls, autopayReportCalls } from './server/reports.ts'
import { defineAutopayJobs } from './server/run.ts'

export const autopay: Feature = {
  calls: [
    paymentMethodsCall,
    addPaymentMethodCall,
    finishPaymentMethodCall,
    makeDefaultMethodCall,
    removePaymentMethodCall,
    myAutopayCall,
    saveAutopayCall,
    transitionAutopayCall,
    skipAutopayCall,
    endAutopayByStaffCall,
    ...autopayReportCalls,
    ...autopayRemovalCalls,
  ],
  demo: () => import('./demo.ts'),
  jobs: (context) => {
    defineAutopayJobs(context)
    defineMethodDeletion(context)
    defineSetupJob(context)
  },
  retention: [{ table: 'method_setup', since: 'created_at', days: 30 }],
}
