import type { Implemented } from '../../../server/call.ts'
import { customerCalls } from './list-customers.ts'
import { lookUpCall } from './look-up.ts'
import { unlockUserCall, resendConfirmationCall } from './user-steps.ts'

export const calls: Implemented[] = [...customerCalls, lookUpCall, unlockUserCall, resendConfirmationCall]
