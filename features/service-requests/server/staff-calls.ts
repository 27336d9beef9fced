import type { Handler } from '../../../server/call.ts'
import { chatsCall, myChatEventsCall, myChatsCall } from './staff-chats.ts'
import { figuresCall } from './staff-figures.ts'
import { inboxLists, reportLists } from './staff-lists.ts'
import { duplicatesCall, mergeRequestCall, separateRequestCall } from './staff-merge.ts'
import { staffCategoriesCall, staffRequestCall } from './show-staff-request.ts'
import { addCallerCall, endCallBackCall, enterForCallerCall, openNearbyCall } from './staff-intake.ts'
import { splitRequestCall } from './staff-split.ts'
import { changeCategoryCall, changeStatusCall, markSpamCall } from './staff-steps.ts'
import { bulkCalls } from './staff-bulk.ts'
import { linkToOrderCall, openOrderCall, ordersNearbyCall } from './staff-work-order.ts'

/** Handlers of all staff calls about requests, and of the chat calls for staff and residents. */
export const staffCalls: readonly Handler[] = [
  ...inboxLists,
  ...reportLists,
  staffRequestCall,
  staffCategoriesCall,
  changeStatusCall,
  changeCategoryCall,
  markSpamCall,
  duplicatesCall,
  mergeRequestCall,
  separateRequestCall,
  splitRequestCall,
  enterForCallerCall,
  openNearbyCall,
  addCallerCall,
  endCallBackCall,
  openOrderCall,
  ...bulkCalls,
  ordersNearbyCall,
  linkToOrderCall,
  figuresCall,
  chatsCall,
  myChatsCall,
  myChatEventsCall,
]
