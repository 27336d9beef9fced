import type { Feature } from '../../server/feature.ts'
import { acceptInvitationCall, acceptCompanyInvitationCall } from './server/accept-invitation.ts'
import { appSettingsCall } from './server/app-settings.ts'
import { changeEmailCall } from './server/change-email.ts'
import { changePasswordCall } from './server/change-password.ts'
import { confirmEmailCall, sendConfirmationCall } from './server/confirm-email.ts'
import { endMySessionCall, mySessionsCall } from './server/my-sessions.ts'
import { passwordRulesCall, resetPasswordCall, setPasswordCall } from './server/reset-password.ts'
import { adminSignInCall, signInCall } from './server/sign-in.ts'
import { signOutCall } from './server/sign-out.ts'
import { signUpCall } from './server/sign-up.ts'
import { defineIdentityJobs } from './server/jobs.ts'

export const identity: Feature = {
  calls: [
    ...[signInCall, adminSignInCall, signOutCall, appSettingsCall, acceptInvitationCall, acceptCompanyInvitationCall],
    ...[signUpCall, confirmEmailCall, sendConfirmationCall],
    ...[passwordRulesCall, resetPasswordCall, setPasswordCall],
    ...[changeEmailCall, changePasswordCall, mySessionsCall, endMySessionCall],
  ],
  jobs: defineIdentityJobs,
  retention: [
    { table: 'account_link', since: 'expires_at', days: 30 },
    { table: 'platform_account_link', since: 'expires_at', days: 30 },
  ],
}
