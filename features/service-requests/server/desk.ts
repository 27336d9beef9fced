import type { Implemented } from '../../../server/call.ts'
import { chatsCall, myChatEventsCall, myChatsCall } from './desk-chats.ts'
import { figuresCall } from './desk-figures.ts'
import { inboxLists, reportLists } from './desk-lists.ts'
import { duplicatesCall, mergeRequestCall, separateRequestCall } from './desk-merge.ts'
import { deskCategoriesCall, deskRequestCall } from './desk-show.ts'
import { splitRequestCall } from './desk-split.ts'
import { changeCategoryCall, changeStatusCall, markSpamCall } from './desk-steps.ts'
import { openOrderCall } from './desk-work-order.ts'

/** All that staff do with requests, and the chat of both sides. */
export const deskCalls: readonly Implemented[] = [
  ...inboxLists,
  ...reportLists,
  deskRequestCall,
  deskCategoriesCall,
  changeStatusCall,
  changeCategoryCall,
  markSpamCall,
  duplicatesCall,
  mergeRequestCall,
  separateRequestCall,
  splitRequestCall,
  openOrderCall,
  figuresCall,
  chatsCall,
  myChatsCall,
  myChatEventsCall,
]
