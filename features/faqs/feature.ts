import type { Feature } from '../../server/feature.ts'
import { listFaqsCall, searchFaqsCall } from './server/calls.ts'
import { categoriesCall, orderCall, removeCategoryCall, saveCategoryCall } from './server/categories.ts'
import {
  linkTargetsCall,
  moveFaqCall,
  removeFaqCall,
  saveFaqCall,
  showFaqCall,
  writeFaqCall,
} from './server/staff-calls.ts'
import { reportHelpedCall } from './server/helped.ts'
import { dismissSearchCall, questionLists, searchLists } from './server/list-faqs.ts'
import { reportMissingCall } from './server/missing.ts'
import { saveSynonymsCall, synonymsCall } from './server/synonyms.ts'
import { faqSteps } from './server/setup-steps.ts'
import './server/import-faqs.ts'
import { faqPack } from './server/pack.ts'
import { faqLookup } from './server/lookup.ts'

export const faqs: Feature = {
  module: 'faqs',
  lookups: [faqLookup],
  setup: faqSteps,
  calls: [
    listFaqsCall,
    searchFaqsCall,
    reportHelpedCall,
    reportMissingCall,
    ...questionLists,
    showFaqCall,
    writeFaqCall,
    saveFaqCall,
    moveFaqCall,
    removeFaqCall,
    linkTargetsCall,
    categoriesCall,
    saveCategoryCall,
    removeCategoryCall,
    orderCall,
    synonymsCall,
    saveSynonymsCall,
    ...searchLists,
    dismissSearchCall,
  ],
  retention: [
    { table: 'faq_helped', since: 'day', days: 365 },
    { table: 'faq_missing', since: 'last_at', days: 365 },
  ],
  packs: [faqPack],
  demo: () => import('./demo.ts'),
}
