import type { Implemented } from '../../../server/call.ts'
import { noticeCalls } from './list-notices.ts'
import { releaseAddressCall } from './release-address.ts'

export const calls: readonly Implemented[] = [...noticeCalls, releaseAddressCall]
