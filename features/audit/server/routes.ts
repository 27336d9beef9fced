import type { Implemented } from '../../../server/call.ts'
import { activityCall, activityCsvCall } from './activity.ts'
import { auditCsvCall, auditLogCall, platformAuditCsvCall, platformAuditLogCall } from './audit-log.ts'

export const calls: Implemented[] = [
  ...[activityCall, activityCsvCall, auditLogCall, auditCsvCall],
  ...[platformAuditLogCall, platformAuditCsvCall],
]
