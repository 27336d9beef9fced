import { sql } from 'kysely'
import type { Endpoint } from '../shared/endpoint.ts'
import type { AuditAction } from '../shared/audit-actions.ts'
import { PLATFORM } from './audit.ts'
import type { AppContext } from './app-context.ts'
import type { Session } from './sessions.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const MINUTE_MS = 60_000

/** Refused call and its caller. `company` is null for a call without a company. */
export interface RefusedCall {
  company: CompanyId | null
  session: Session | null
  action: AuditAction
  endpoint: Endpoint
}

/**
 * Counts a refused call in a separate table, so that ten thousand refusals in a minute create only one row. After that
 * minute, a job moves the row to the sealed audit log.
 */
export async function countRefused(
  context: AppContext,
  { company, session, action, endpoint }: RefusedCall,
): Promise<void> {
  const at = context.clock.now()
  const minute = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
  await context.acrossCompanies((tx) =>
    sql`
      INSERT INTO refused_call AS kept (company, minute, action, path, summary, actor_kind, actor_id, impersonator_id, first_at, last_at)
      VALUES (${company ?? PLATFORM}, ${minute}, ${action}, ${endpoint.path}, ${endpoint.summary}, ${session?.kind ?? 'guest'}, ${session?.personId ?? 0},
        ${session?.impersonatorId ?? 0}, ${at}, ${at})
      ON CONFLICT (company, minute, action, path, actor_kind, actor_id, impersonator_id)
      DO UPDATE SET times = kept.times + 1, last_at = greatest(kept.last_at, excluded.last_at)`.execute(tx),
  )
}

/**
 * Moves the rows of past minutes into the audit log, where a job seals them. Needs a transaction that sees all
 * companies.
 */
export async function logRefused(tx: Tx, now: Date): Promise<void> {
  const currentMinute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
  await sql`
    WITH over AS (DELETE FROM refused_call WHERE minute < ${currentMinute} RETURNING *),
      facts AS (
        SELECT company, last_at AS at, actor_kind, nullif(actor_id, 0) AS actor_id, nullif(impersonator_id, 0) AS impersonator_id,
          action, 'call' AS subject_kind, path AS subject,
          jsonb_build_object('what', summary)
            || CASE WHEN times = 1 THEN '{}' ELSE jsonb_build_object('times', times, 'first', first_at) END AS detail
        FROM over),
      is_company_only AS (
        INSERT INTO audit_event (company_id, at, actor_kind, actor_id, impersonator_id, action, subject_kind, subject, detail)
        SELECT * FROM facts WHERE company <> ${PLATFORM} RETURNING company_id, id),
      of_platform AS (
        INSERT INTO platform_audit_event (at, actor_id, action, subject_kind, subject, detail)
        SELECT at, actor_id, action, subject_kind, subject, detail FROM facts WHERE company = ${PLATFORM} RETURNING id)
    INSERT INTO audit_unsealed (company, event_id)
    SELECT company_id, id FROM is_company_only UNION ALL SELECT ${PLATFORM}, id FROM of_platform`.execute(tx)
}
