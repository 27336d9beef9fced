import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { formPost } from '../../server/form-posts.ts'
import { findOpenItem, itemFiles } from './contract.ts'
import {
  changePaymentTypeCall,
  createPaymentTypeCall,
  savePaymentTypeCall,
  showPaymentTypeCall,
} from './server/change-types.ts'
import { paymentFieldCalls } from './server/fields.ts'
import { fileCalls } from './server/files.ts'
import { importItemsCall } from './server/import-items.ts'
import { createPaymentLinkCall, sendPaymentLinkCall } from './server/links.ts'
import { chargeLists, showChargeCall } from './server/list-charges.ts'
import { paymentTitlesCall, paymentTypeLists } from './server/list-types.ts'
import {
  startGeneralPaymentCall,
  findableTypes,
  findOpenItemCall,
  payableTypeCall,
  payableTypesCall,
} from './server/pay.ts'
import { addPaymentStockCall, defineStockJobs } from './server/stock.ts'

export const generalPayments: Feature = {
  module: 'bills',
  calls: [
    payableTypesCall,
    payableTypeCall,
    startGeneralPaymentCall,
    findOpenItemCall,
    ...paymentTypeLists,
    paymentTitlesCall,
    showPaymentTypeCall,
    createPaymentTypeCall,
    savePaymentTypeCall,
    changePaymentTypeCall,
    ...paymentFieldCalls,
    addPaymentStockCall,
    importItemsCall,
    ...partCalls(itemFiles),
    createPaymentLinkCall,
    sendPaymentLinkCall,
    ...chargeLists,
    showChargeCall,
    ...fileCalls,
  ],
  formPosts: [
    formPost({ path: '/pay/{slug}', endpoint: findOpenItem, next: ({ token }) => `/guest/payment/${token}` }),
  ],
  jobs: defineStockJobs,
  findable: [findableTypes],
  // Deletes unpaid charges that payers created. Charges that staff sent as links stay, as do open items.
  retention: [
    {
      table: 'general_charge',
      since: 'created_at',
      days: 90,
      only: `status = 'open' AND item_key IS NULL AND made_by = '' AND held_until IS NULL`,
    },
  ],
  demo: () => import('./demo.ts'),
}
