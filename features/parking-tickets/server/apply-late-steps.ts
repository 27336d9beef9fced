import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import { eachSeparately } from '../../../server/each-separately.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { auditCompany } from '../../../server/audit.ts'
import { announce } from '../../../server/live.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Company } from '../../../server/hosts.ts'
import { companyIdFrom, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import type { LateStep, ParkingSettings } from '../rules.ts'
import { lateNotice } from './emails.ts'
import { blockedByOutage } from '../../outages/api.ts'
import { hasPendingPayment } from '../../payments/api.ts'
import { parkingTickets } from './payable.ts'
import { settingsOf } from './settings.ts'

/**
 * Number of tickets that one transaction locks. The number is small, so that payments do not wait long for the locks.
 */
const BATCH = 200

/**
 * Defines the hourly job that applies late steps, by each company's schedule and time zone. Each step is stored with
 * its ticket, so repeated runs apply it only once.
 */
export function defineParkingJobs(context: AppContext): void {
  context.jobs.define('parking.steps', () => applyLateSteps(context), {
    cron: '20 * * * *',
    retryLimit: 0,
    timeoutSeconds: 1800,
  })
}

export async function applyLateSteps(context: AppContext): Promise<void> {
  const companies = await context.acrossCompanies((tx) =>
    tx.selectFrom('parking_settings').select('company_id').where(whereOn('parking')).orderBy('company_id').execute(),
  )
  await eachSeparately(context, companies, ({ company_id }) =>
    applyCompanyLateSteps(context, companyIdFrom('job', company_id)),
  )
}

async function applyCompanyLateSteps(context: AppContext, company: CompanyId): Promise<void> {
  const settings = await context.inCompany(company, (tx) => settingsOf(tx, company))
  // Applies the earliest step first, so that a ticket with several overdue steps gets each of them.
  for (const step of settings.steps.toSorted((a, b) => a.day - b.day)) {
    let count = BATCH
    while (count === BATCH)
      count = await context.inCompany(company, async (tx) => {
        const companyRecord = await context.hosts.byId(company, tx)
        return companyRecord ? applyLateStep(tx, context, companyRecord, step, settings) : 0
      })
  }
}

interface LateTicket {
  id: number
  citation_number: string
  email: string
  unpaid_cents: number
}

/** Applies one late step to a batch of overdue tickets. @returns the number of tickets */
async function applyLateStep(
  tx: Tx,
  context: AppContext,
  companyRecord: Company,
  { day, feeCents, notifies }: LateStep,
  { contestDays, noticeRenews }: ParkingSettings,
): Promise<number> {
  const now = context.clock.now()
  const today = dateIn(companyRecord.timeZone, now)
  const { rows } = await sql<LateTicket>`
    WITH due AS MATERIALIZED (
      SELECT id FROM parking_ticket t
      WHERE company_id = ${companyRecord.id} AND status = 'open' AND last_step_day < ${day}
        AND counted_from <= ${today}::date - ${day}::int AND unpaid_cents > 0
        AND NOT ${hasPendingPayment(sql`t.company_id`, parkingTickets.kind, sql`t.id`)}
        AND NOT ${blockedByOutage(companyRecord.id, parkingTickets.kind, sql`t.id`, today)}
      ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE
    ), late AS (
      UPDATE parking_ticket t SET late_cents = late_cents + ${feeCents}, last_step_day = ${day},
        contest_until = CASE WHEN ${notifies && noticeRenews}::boolean AND email <> ''
          THEN greatest(contest_until, ${today}::date + ${contestDays}::int) ELSE contest_until END
      FROM due WHERE t.company_id = ${companyRecord.id} AND t.id = due.id
      RETURNING t.id, t.citation_number, t.email, t.unpaid_cents, t.counted_from
    ), noted AS (
      INSERT INTO parking_delinquency_step (company_id, ticket_id, counted_from, day, fee_cents, is_notified, at)
      SELECT ${companyRecord.id}, id, counted_from, ${day}::int, ${feeCents}::bigint, ${notifies}::boolean AND email <> '', ${now}::timestamptz FROM late
    )
    SELECT id, citation_number, email, unpaid_cents FROM late ORDER BY id`.execute(tx)
  if (rows.length === 0) return 0
  for (const { citation_number: citation, email, unpaid_cents: owedCents } of notifies ? rows : [])
    if (email)
      await notify(tx, context, {
        at: companyRecord,
        to: email,
        notice: lateNotice,
        data: { citation, feeCents, owedCents },
      })
  await auditCompany(
    tx,
    context.clock,
    companyRecord.id,
    { session: null, requestId: '', kind: 'system' },
    {
      action: 'parking.delinquency_steps',
      detail: { day, feeCents, tickets: rows.map(({ citation_number }) => citation_number) },
    },
  )
  await announce(tx, companyRecord.id, { topic: 'parking/contests', id: 0 })
  return rows.length
}
