import type { Feature } from '../../server/feature.ts'
import { accountNumbersCall, linkedAccountsCall, openPaymentCall } from './server/accounts.ts'
import { linkAccountCall, unlinkAccountCall } from './server/link-account.ts'
import { linkCodeEventsCall, printCustomerBillCall, printLinkMailingsCall } from './server/link-codes.ts'
import { printBillCall, printReceiptCall } from './server/documents.ts'
import { saveAccountCall } from './server/save-account.ts'
import {
  acceptShareCall,
  endShareCall,
  previewShareCall,
  offerShareCall,
  returnSharedCall,
  returnSharesCall,
} from './server/shares.ts'
import { showAccountCall } from './server/show-account.ts'
import { showBillCall } from './server/show-bill.ts'
import { defineNotifyJob } from './server/notify.ts'
import { defineWatching } from './server/watchers.ts'
import { accountYearCall } from './server/year.ts'

export const utilityPortal: Feature = {
  module: 'utilities',
  calls: [
    linkedAccountsCall,
    accountNumbersCall,
    linkAccountCall,
    unlinkAccountCall,
    saveAccountCall,
    openPaymentCall,
    showAccountCall,
    showBillCall,
    printBillCall,
    printReceiptCall,
    accountYearCall,
    printLinkMailingsCall,
    linkCodeEventsCall,
    returnSharesCall,
    offerShareCall,
    previewShareCall,
    acceptShareCall,
    endShareCall,
    returnSharedCall,
    printCustomerBillCall,
  ],
  jobs(context) {
    defineNotifyJob(context)
    defineWatching(context)
  },
  demo: () => import('./demo.ts'),
}
