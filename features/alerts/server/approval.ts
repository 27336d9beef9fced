import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { USUAL_APPROVAL_OVER } from '../rules.ts'
import type { Alert } from './alerts.ts'

/** Returns the number of recipients above which a second person must approve an alert. */
export async function approvalOver(tx: Tx, company: CompanyId): Promise<number> {
  const row = await tx
    .selectFrom('alert_settings')
    .select('approval_over')
    .where('company_id', '=', company)
    .executeTakeFirst()
  return row?.approval_over ?? USUAL_APPROVAL_OVER
}

/**
 * Returns the reason that a second person must approve an alert, or ''. A cancellation or an all-clear only ends an
 * alert, so it needs no approver.
 */
export function approvalReasonFor(row: Alert, people: number, over: number): '' | 'severity' | 'people' {
  if (row.kind === 'cancel' || row.kind === 'all_clear') return ''
  return row.severity === 'Extreme' ? 'severity' : people > over ? 'people' : ''
}
