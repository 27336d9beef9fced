import type { Implemented } from '../../../server/call.ts'
import { callsOfCase } from '../../../server/cases/calls.ts'
import { assignItemsCall, itemsCall } from './assign-items.ts'
import { supportRequests } from './case.ts'
import { changeStatusCall } from './change-status.ts'
import { exportRequestsCall, listRequestsCall } from './list-requests.ts'
import { supportPrefillCall } from './prefill.ts'
import { sendRequestCall } from './send-request.ts'
import { showRequestCall } from './show-request.ts'

export const calls: Implemented[] = [
  ...callsOfCase(supportRequests),
  sendRequestCall,
  supportPrefillCall,
  listRequestsCall,
  exportRequestsCall,
  showRequestCall,
  changeStatusCall,
  itemsCall,
  assignItemsCall,
]
