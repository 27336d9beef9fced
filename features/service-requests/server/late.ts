import { sql } from 'kysely'
import { auditCompany } from '../../../server/audit.ts'
import { eachSeparately } from '../../../server/each-separately.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { announce } from '../../../server/live.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { plural, say } from '../../../shared/messages.ts'
import { requestCase } from '../contract.ts'
import { numberOf, openRequests } from '../rules.ts'
import { litList } from '../../../server/list-sql.ts'
import { whereOn } from '../../../server/modules.ts'

/** Maximum number of requests in one transaction. */
const BATCH = 200

interface OverdueNoticeData {
  numbers: string[]
}

const listed = (numbers: readonly string[]): string => numbers.join(', ')

export const lateNotice = defineNotice<OverdueNoticeData>({
  event: 'request.late',
  required: false,
  called: 'updates on overdue requests',
  waitSeconds: 120,
  why: ({ name }) =>
    say`You are receiving this email because these requests to ${name} are assigned to you or your department, or you get overdue notifications for them.`,
  content: ({ numbers }, at) => emailOf(numbers, at.url(STAFF_PATH)),
  together: (all, at) => emailOf([...new Set(all.flatMap(({ numbers }) => numbers))], at.url(STAFF_PATH)),
})

const STAFF_PATH = '/municipality/manage/customer-communication'
const emailOf = (numbers: readonly string[], url: string) => ({
  subject: say`${plural(numbers.length, 'A request is overdue', '# requests are overdue')}`,
  paragraphs: [
    say`${plural(numbers.length, 'Request past its target date', 'Requests past their target date')}: ${listed(numbers)}.`,
    { label: say`View requests`, url },
  ],
})

/**
 * Defines the job that notifies staff once about each overdue request. The job emails the assignee or the department,
 * and the category's escalation contact. One transaction queues the emails and marks the request as notified.
 */
export function defineRequestJobs(context: AppContext): void {
  context.jobs.define('requests.late', () => notifyLate(context), {
    cron: '35 * * * *',
    retryLimit: 0,
    timeoutSeconds: 1800,
  })
}

export async function notifyLate(context: AppContext): Promise<void> {
  const companies = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('request_category')
      .select('company_id')
      .distinct()
      .where(whereOn('requests'))
      .orderBy('company_id')
      .execute(),
  )
  await eachSeparately(context, companies, async ({ company_id }) => {
    const id = companyIdFrom('job', company_id)
    let notifiedCount = BATCH
    while (notifiedCount === BATCH)
      notifiedCount = await context.inCompany(id, async (tx) => {
        const companyRecord = await context.hosts.byId(id, tx)
        return companyRecord ? notifyCompany(tx, context, companyRecord) : 0
      })
  })
}

/**
 * Notifies the staff of a company about overdue requests.
 * @returns the number of overdue requests
 */
async function notifyCompany(tx: Tx, context: AppContext, companyRecord: Company): Promise<number> {
  const now = context.clock.now()
  const { rows } = await sql<{ id: number; emails: string[] }>`
    WITH late AS (
      UPDATE service_request r SET escalated_at = ${now}::timestamptz
      FROM (SELECT id FROM service_request WHERE company_id = ${companyRecord.id} AND status IN (${litList(openRequests)}) AND escalated_at IS NULL
        AND due_at < ${now}::timestamptz ORDER BY due_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED) l
      WHERE r.company_id = ${companyRecord.id} AND r.id = l.id
      RETURNING r.id, r.assigned_to, r.department_id, r.category_id
    )
    SELECT l.id, coalesce(array_agg(DISTINCT p.email) FILTER (WHERE p.email <> ''), '{}') AS emails FROM late l
    JOIN request_category c ON c.company_id = ${companyRecord.id} AND c.id = l.category_id
    LEFT JOIN person p ON p.company_id = ${companyRecord.id} AND p.role_id >= 3 AND p.is_active = 1 AND p.locked_at IS NULL
      AND (p.id = l.assigned_to OR p.id = c.escalate_to OR p.department_id = l.department_id)
    GROUP BY l.id ORDER BY l.id`.execute(tx)
  if (rows.length === 0) return 0
  const byEmail = new Map<string, string[]>()
  for (const { id, emails } of rows)
    for (const email of emails) byEmail.set(email, [...(byEmail.get(email) ?? []), numberOf(id)])
  for (const [to, numbers] of byEmail)
    await notify(tx, context, { at: companyRecord, to, notice: lateNotice, data: { numbers } })
  const actor = { session: null, requestId: '', kind: 'system' as const }
  const detail = { requests: rows.map(({ id }) => numberOf(id)) }
  await auditCompany(tx, context.clock, companyRecord.id, actor, { action: 'request.escalated', detail })
  await announce(tx, companyRecord.id, { topic: requestCase.topic, id: 0 })
  return rows.length
}
