import type { Feature } from '../../server/feature.ts'
import { accountClosingCall, closeAccountCall } from './server/close-account.ts'
import { returnProfileCall } from './server/return-profile.ts'
import { saveContactCall } from './server/save-contact.ts'
import { startTextsCall, confirmTextsCall, myTextsCall, optOutOfTextsCall } from './server/texts.ts'
import { saveProfileCall } from './server/save-profile.ts'

export const profile: Feature = {
  calls: [
    returnProfileCall,
    saveProfileCall,
    saveContactCall,
    myTextsCall,
    startTextsCall,
    confirmTextsCall,
    optOutOfTextsCall,
    accountClosingCall,
    closeAccountCall,
  ],
}
