import { sql } from 'kysely'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { eachSeparately } from '../../../server/each-separately.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { TransitionActor } from '../../../server/states.ts'
import { companyIdFrom, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import { timesOf } from './days.ts'
import { openOrder } from './open-work-order.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import { NEVER, type Plan } from './plans.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'
import { whereOn } from '../../../server/modules.ts'

/** Maximum number of planned orders that the job opens in one transaction. */
const BATCH = 50

/**
 * Defines the job that opens the orders of maintenance plans ahead of time. Each plan stores the day of its next order,
 * so an interrupted job can resume.
 */
export function definePlanJobs(context: AppContext): void {
  context.jobs.define('work.plans', () => openPlanned(context), {
    cron: '10 * * * *',
    retryLimit: 0,
    timeoutSeconds: 1800,
  })
}

export async function openPlanned(context: AppContext): Promise<void> {
  // A company's day differs from the UTC day by at most one day. `openDays` checks each company's own day.
  const soon = addDays(dateIn('UTC', context.clock.now()), 1)
  const { rows } = await context.acrossCompanies((tx) =>
    sql<{ company_id: number; id: number }>`
      SELECT company_id, id FROM work_plan WHERE is_active = 1 AND next_on <= ${soon}::date + lead_days AND ${whereOn('work_orders')}
      ORDER BY company_id, id`.execute(tx),
  )
  await eachSeparately(context, rows, ({ company_id, id }) => openPlan(context, companyIdFrom('job', company_id), id))
}

async function openPlan(context: AppContext, company: CompanyId, id: number): Promise<void> {
  let more = true
  while (more)
    more = await context.inCompany(company, async (tx) => {
      const companyRecord = await context.hosts.byId(company, tx)
      const plan = await tx
        .selectFrom('work_plan')
        .selectAll()
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .forUpdate()
        .executeTakeFirst()
      return companyRecord && plan ? openOrdersForDays(tx, context, companyRecord, plan) : false
    })
}

/**
 * Opens the orders for all days within the plan's lead time, one for each day. The caller has locked the plan's row,
 * and a unique index prevents duplicates.
 * @returns true if more days may follow
 */
async function openOrdersForDays(tx: Tx, context: AppContext, company: Company, plan: Plan): Promise<boolean> {
  const until = addDays(dateIn(company.timeZone, context.clock.now()), plan.lead_days)
  const days = daysOfRule(plan.rule, plan.starts_on, plan.next_on, BATCH + 1)
  const near = days.filter((day) => day <= until).slice(0, BATCH)
  if (near.length === 0) return false
  const { rows: existing } = await sql<{ day: string }>`
    SELECT plan_day AS day FROM work_order WHERE company_id = ${company.id} AND plan_id = ${plan.id}
      AND plan_day = ANY(${near}::date[])`.execute(tx)
  for (const day of near)
    if (!existing.some((one) => one.day === day)) await openOrderOn(tx, context, company, plan, day)
  await tx
    .updateTable('work_plan')
    .set({ next_on: days[near.length] ?? NEVER })
    .where('company_id', '=', company.id)
    .where('id', '=', plan.id)
    .execute()
  return near.length === BATCH
}

async function openOrderOn(tx: Tx, context: AppContext, company: Company, plan: Plan, day: string): Promise<void> {
  const actor: TransitionActor = {
    as: 'system',
    caller: { session: null, requestId: '', kind: 'system' },
    clock: context.clock,
  }
  const opening = { context, company, actor, plan: { id: plan.id, day } }
  await openOrder(tx, opening, {
    title: plan.title,
    description: plan.description,
    kind: plan.kind,
    severity: plan.severity,
    location: locationFromRow(plan),
    dueOn: day,
    schedule: timesOf(company, day, plan.start_time, plan.minutes),
    departmentId: plan.department_id,
    assignedTo: plan.assigned_to,
    crewId: plan.crew_id,
    asset: null,
    source: null,
    fileIds: [],
    checklist: plan.checklist,
    parts: plan.parts,
  })
}
