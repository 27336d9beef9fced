import type { Implemented } from '../../../server/call.ts'
import { companySsoCall, saveCompanySsoCall } from './settings.ts'
import { linkSsoCall, ssoOptionsCall, startSsoCall, takeHandOffCall, undoSsoCall, verifySsoCall } from './sign-in.ts'
import { decodeTokenCall, describeSessionCall } from './token-test.ts'
import { ssoTestStateCall, startSsoTestCall, verifySsoTestCall } from './trial.ts'

export const calls: Implemented[] = [
  ...[ssoOptionsCall, startSsoCall, verifySsoCall, takeHandOffCall, linkSsoCall, undoSsoCall],
  ...[ssoTestStateCall, startSsoTestCall, verifySsoTestCall],
  ...[describeSessionCall, decodeTokenCall],
  ...[companySsoCall, saveCompanySsoCall],
]
