import type { Implemented } from '../../../server/call.ts'
import { activityCall, activityCsvCall } from './activity.ts'
import { auditLists } from './audit-log.ts'

export const calls: Implemented[] = [activityCall, activityCsvCall, ...auditLists]
