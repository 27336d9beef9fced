import type { Feature } from '../../server/feature.ts'
import { defineArrangementJob } from './server/review-arrangements.ts'
import { agreeCall, requestArrangementCall, declineCall, moveCall, proposeCall } from './server/make.ts'
import { rulesCall, saveRulesCall } from './server/settings.ts'
import { arrangementCall, arrangementListCalls, arrangementOfCall, myArrangementsCall } from './server/show.ts'

export const arrangements: Feature = {
  calls: [
    myArrangementsCall,
    requestArrangementCall,
    agreeCall,
    declineCall,
    ...arrangementListCalls,
    arrangementCall,
    arrangementOfCall,
    proposeCall,
    moveCall,
    rulesCall,
    saveRulesCall,
  ],
  jobs: defineArrangementJob,
  demo: () => import('./demo.ts'),
}
