import type { Feature } from '../../server/feature.ts'
import { formPost, SAME_PAGE } from '../../server/form-posts.ts'
import { sendRequest, supportCase } from './contract.ts'
import { callsOfCase } from '../../server/cases/calls.ts'
import { assignItemsCall, itemsCall } from './server/assign-items.ts'
import { supportRequests } from './server/case.ts'
import { changeStatusCall } from './server/change-status.ts'
import { requestLists } from './server/list-requests.ts'
import { supportPrefillCall } from './server/prefill.ts'
import { sendRequestCall } from './server/send-request.ts'
import { showRequestCall } from './server/show-request.ts'

export const support: Feature = {
  calls: [
    ...callsOfCase(supportRequests),
    sendRequestCall,
    supportPrefillCall,
    ...requestLists,
    showRequestCall,
    changeStatusCall,
    itemsCall,
    assignItemsCall,
  ],
  formPosts: [
    formPost({ path: '/support', endpoint: sendRequest }),
    formPost({ path: '/support/{token}', endpoint: supportCase.message, next: SAME_PAGE }),
  ],
  demo: () => import('./demo.ts'),
}
