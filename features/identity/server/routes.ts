import type { Implemented } from '../../../server/call.ts'
import { acceptInvitationCall, acceptTownInvitationCall } from './accept-invitation.ts'
import { appSettingsCall } from './app-settings.ts'
import { adminSignInCall, signInCall } from './sign-in.ts'
import { signOutCall } from './sign-out.ts'

export const calls: Implemented[] = [
  signInCall,
  adminSignInCall,
  signOutCall,
  appSettingsCall,
  acceptInvitationCall,
  acceptTownInvitationCall,
]
