import type { Implemented } from '../../../server/call.ts'
import { acceptInvitationCall, acceptTownInvitationCall } from './accept-invitation.ts'
import { appSettingsCall } from './app-settings.ts'
import { changeEmailCall } from './change-email.ts'
import { changePasswordCall } from './change-password.ts'
import { confirmEmailCall, sendConfirmationCall } from './confirm-email.ts'
import { endMySessionCall, mySessionsCall } from './my-sessions.ts'
import { passwordRulesCall, resetPasswordCall, setPasswordCall } from './reset-password.ts'
import { adminSignInCall, signInCall } from './sign-in.ts'
import { signOutCall } from './sign-out.ts'
import { signUpCall } from './sign-up.ts'

export const calls: Implemented[] = [
  ...[signInCall, adminSignInCall, signOutCall, appSettingsCall, acceptInvitationCall, acceptTownInvitationCall],
  ...[signUpCall, confirmEmailCall, sendConfirmationCall],
  ...[passwordRulesCall, resetPasswordCall, setPasswordCall],
  ...[changeEmailCall, changePasswordCall, mySessionsCall, endMySessionCall],
]
