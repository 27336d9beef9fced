import { type Implemented, implement } from '../../../server/call.ts'
import { supportEvents } from '../contract.ts'
import { changeStatusCall, noteCall, replyCall } from './answer.ts'
import { assignItemsCall, assignRequestCall, assigneesCall, itemsCall } from './assign.ts'
import { conversationCall, followUpCall } from './follow-up.ts'
import { exportRequestsCall, listRequestsCall } from './list-requests.ts'
import { supportPrefillCall } from './prefill.ts'
import { sendRequestCall } from './send-request.ts'
import { showRequestCall } from './show-request.ts'

const supportEventsCall = implement(supportEvents, async () => ({ topic: 'support' as const }))

export const calls: Implemented[] = [
  ...[sendRequestCall, supportPrefillCall, conversationCall, followUpCall],
  ...[listRequestsCall, exportRequestsCall, showRequestCall, supportEventsCall],
  ...[replyCall, noteCall, changeStatusCall],
  ...[assignRequestCall, assigneesCall, itemsCall, assignItemsCall],
]
