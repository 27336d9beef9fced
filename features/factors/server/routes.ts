import type { Implemented } from '../../../server/call.ts'
import { beginEnrolmentCall, confirmEnrolmentCall } from './enrol.ts'
import { beginAppCall, confirmAppCall, myFactorsCall, removeAppCall, renewRecoveryCodesCall } from './my-app.ts'
import { beginPasskeyCall, removePasskeyCall, renamePasskeyCall, savePasskeyCall } from './my-passkeys.ts'
import { beginPasskeySignInCall, passkeySignInCall } from './passkey-sign-in.ts'
import { saveSignInRulesCall, signInRulesCall } from './sign-in-rules.ts'
import { verifySecondFactorCall } from './verify-second.ts'

export const calls: Implemented[] = [
  ...[verifySecondFactorCall, beginEnrolmentCall, confirmEnrolmentCall, beginPasskeySignInCall, passkeySignInCall],
  ...[myFactorsCall, beginAppCall, confirmAppCall, removeAppCall, renewRecoveryCodesCall],
  ...[beginPasskeyCall, savePasskeyCall, renamePasskeyCall, removePasskeyCall],
  ...[signInRulesCall, saveSignInRulesCall],
]
