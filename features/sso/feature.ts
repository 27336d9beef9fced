import type { Feature } from '../../server/feature.ts'
import { companySsoCall, saveCompanySsoCall } from './server/settings.ts'
import {
  linkSsoCall,
  ssoOptionsCall,
  startSsoCall,
  redeemHandOffCall,
  undoSsoCall,
  verifySsoCall,
} from './server/sign-in.ts'
import { decodeTokenCall, describeSessionCall } from './server/token-test.ts'
import { ssoTestStateCall, startSsoTestCall, verifySsoTestCall } from './server/trial.ts'
import { mountHandOff } from './server/hand-off.ts'

export const sso: Feature = {
  calls: [
    ...[ssoOptionsCall, startSsoCall, verifySsoCall, redeemHandOffCall, linkSsoCall, undoSsoCall],
    ...[ssoTestStateCall, startSsoTestCall, verifySsoTestCall],
    ...[describeSessionCall, decodeTokenCall],
    ...[companySsoCall, saveCompanySsoCall],
  ],
  mount: [mountHandOff],
  retention: [
    { table: 'sso_attempt', since: 'expires_at', days: 1 },
    { table: 'sso_pending', since: 'expires_at', days: 1 },
    // Deletes a hand-off when it expires, because the portal refuses an expired token anyway.
    { table: 'ccs_hand_off', since: 'expires_at', days: 0 },
  ],
}
