import type { Implemented } from '../../../server/call.ts'
import { analyticsCall, analyticsCsvCall } from './analytics.ts'

export const calls: Implemented[] = [analyticsCall, analyticsCsvCall]
