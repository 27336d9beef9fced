import type { Implemented } from '../../../server/call.ts'
import { returnProfileCall } from './return-profile.ts'
import { beginTextsCall, confirmTextsCall, myTextsCall, stopTextsCall } from './texts.ts'
import { saveContactCall } from './save-contact.ts'
import { saveProfileCall } from './save-profile.ts'

export const calls: Implemented[] = [
  returnProfileCall,
  saveProfileCall,
  saveContactCall,
  myTextsCall,
  beginTextsCall,
  confirmTextsCall,
  stopTextsCall,
]
