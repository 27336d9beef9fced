import type { Implemented } from '../../../server/call.ts'
import { callsOfCase } from '../../../server/cases/calls.ts'
import { assignItemsCall, itemsCall } from './assign-items.ts'
import { supportRequests } from './case.ts'
import { changeStatusCall } from './change-status.ts'
import { requestLists } from './list-requests.ts'
import { supportPrefillCall } from './prefill.ts'
import { sendRequestCall } from './send-request.ts'
import { showRequestCall } from './show-request.ts'

export const calls: Implemented[] = [
  ...callsOfCase(supportRequests),
  sendRequestCall,
  supportPrefillCall,
  ...requestLists,
  showRequestCall,
  changeStatusCall,
  itemsCall,
  assignItemsCall,
]
