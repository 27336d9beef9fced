import type { Feature } from '../../server/feature.ts'
import { beginEnrollmentCall, confirmEnrollmentCall } from './server/enroll.ts'
import { beginAppCall, confirmAppCall, myFactorsCall, removeAppCall, renewRecoveryCodesCall } from './server/my-app.ts'
import { beginPasskeyCall, removePasskeyCall, renamePasskeyCall, savePasskeyCall } from './server/my-passkeys.ts'
import { beginPasskeySignInCall, passkeySignInCall } from './server/passkey-sign-in.ts'
import { saveSignInRulesCall, signInRulesCall } from './server/sign-in-rules.ts'
import { verifySecondFactorCall } from './server/verify-second.ts'

export const factors: Feature = {
  calls: [
    ...[verifySecondFactorCall, beginEnrollmentCall, confirmEnrollmentCall, beginPasskeySignInCall, passkeySignInCall],
    ...[myFactorsCall, beginAppCall, confirmAppCall, removeAppCall, renewRecoveryCodesCall],
    ...[beginPasskeyCall, savePasskeyCall, renamePasskeyCall, removePasskeyCall],
    ...[signInRulesCall, saveSignInRulesCall],
  ],
  retention: [
    { table: 'factor_step', since: 'expires_at', days: 1 },
    { table: 'platform_factor_step', since: 'expires_at', days: 1 },
  ],
}
