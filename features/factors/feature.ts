import type { Feature } from '../../server/feature.ts'
import { startEnrollmentCall, confirmEnrollmentCall } from './server/enroll.ts'
import {
  startAuthenticatorCall,
  confirmAppCall,
  myFactorsCall,
  removeAppCall,
  renewRecoveryCodesCall,
} from './server/my-app.ts'
import { startPasskeyCall, removePasskeyCall, renamePasskeyCall, savePasskeyCall } from './server/my-passkeys.ts'
import { startPasskeySignInCall, passkeySignInCall } from './server/passkey-sign-in.ts'
import { saveSignInRulesCall, signInRulesCall } from './server/sign-in-rules.ts'
import { verifySecondFactorCall } from './server/verify-second.ts'

export const factors: Feature = {
  calls: [
    ...[verifySecondFactorCall, startEnrollmentCall, confirmEnrollmentCall, startPasskeySignInCall, passkeySignInCall],
    ...[myFactorsCall, startAuthenticatorCall, confirmAppCall, removeAppCall, renewRecoveryCodesCall],
    ...[startPasskeyCall, savePasskeyCall, renamePasskeyCall, removePasskeyCall],
    ...[signInRulesCall, saveSignInRulesCall],
  ],
  retention: [
    { table: 'factor_step', since: 'expires_at', days: 1 },
    { table: 'platform_factor_step', since: 'expires_at', days: 1 },
  ],
}
