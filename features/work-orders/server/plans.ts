import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import { dateIn } from '../../../shared/dates.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import { linesOf, type planForm, previewPlan, returnPlan, savePlan } from '../contract.ts'
import { repeatsOf, ruleOf } from '../../../shared/repeats.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { locationFromRow, locationColumns } from '../../../server/places/stored-location.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import { partsLabels } from './parts.ts'
import { expectAtWork } from './staff.ts'

export type Plan = Selectable<Schema['work_plan']>
export type PlanForm = z.output<typeof planForm>

/** Value of `next_on` for a plan that opens no more orders. */
export const NEVER = '9999-12-31'
const PREVIEWED = 6
const NO_DAY = 'This schedule has no dates. Choose an earlier first day or a later last day.'

const unknownPlan = () => notFound('This plan was not found.')

export const previewPlanCall = implement(previewPlan, async ({ body: { repeats, startsOn } }) => ({
  days: daysOfRule(ruleOf(repeats, startsOn), startsOn, startsOn, PREVIEWED),
}))

export const returnPlanCall = implement(returnPlan, (call) =>
  call.reading(async (tx) => {
    const plan = await tx
      .selectFrom('work_plan')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('id', '=', call.body.planId)
      .executeTakeFirstOrThrow(unknownPlan)
    const { privileges } = signedIn(call)
    return { id: plan.id, form: formOf(plan), can: { edit: may(privileges, 'work_orders', 'update') } }
  }),
)

/**
 * Converts the values of a plan to columns.
 * @param noDay field with the error if the rule has no days
 * @throws 422 if the rule of an active plan has no days
 */
async function rowOf(tx: Tx, { company, context }: Call, form: PlanForm, noDay: string) {
  const today = dateIn(company.timeZone, context.clock.now())
  const rule = ruleOf(form.repeats, form.startsOn)
  const [next] = daysOfRule(rule, form.startsOn, today > form.startsOn ? today : form.startsOn, 1)
  if (!next && form.active) throw rejected(NO_DAY, { [noDay]: NO_DAY })
  return {
    title: form.title,
    description: form.description,
    kind: form.kind,
    severity: form.severity,
    department_id: form.departmentId,
    assigned_to: form.assignedTo,
    crew_id: form.crewId,
    ...locationColumns(await resolveLocation(tx, company.id, form.location)),
    checklist: linesOf(form.checklist),
    parts: JSON.stringify(form.parts),
    rule,
    starts_on: form.startsOn,
    start_time: form.startTime,
    minutes: form.minutes,
    lead_days: form.leadDays,
    is_active: form.active ? (1 as const) : (0 as const),
    next_on: next ?? NEVER,
  }
}

/**
 * Creates a maintenance plan. The caller checks the assignees.
 * @param noDay field with the error if the rule has no days
 */
export async function createPlan(tx: Tx, call: Call, form: PlanForm, noDay = 'startsOn'): Promise<number> {
  const { id } = await tx
    .insertInto('work_plan')
    .values({ company_id: call.company.id, ...(await rowOf(tx, call, form, noDay)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await call.audit(tx, {
    action: 'work_plan.made',
    subject: { kind: 'work_plan', id },
    detail: auditDetailsOf(form),
  })
  return id
}

/**
 * Creates or changes a maintenance plan. Orders that are already open do not change. The new rule applies to future
 * days.
 */
export const savePlanCall = implement(savePlan, (call) => {
  const { companyId: _named, planId, basis, ...sent } = call.body
  const { company } = call
  return call.inCompany(async (tx) => {
    if (planId === null) {
      const own = { ...sent, crewId: sent.crewId ?? null, parts: sent.parts ?? [] }
      await expectAtWork(tx, company.id, own)
      const id = await createPlan(tx, call, own)
      return { success: true as const, message: say`Maintenance plan “${own.title}” was created.`, planId: id }
    }
    const plan = await tx
      .selectFrom('work_plan')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('id', '=', planId)
      .forUpdate()
      .executeTakeFirstOrThrow(unknownPlan)
    const before = formOf(plan)
    const own = {
      ...sent,
      crewId: sent.crewId === undefined ? before.crewId : sent.crewId,
      parts: sent.parts ?? before.parts,
    }
    const edit = editBy(tx, call, `work_plan ${plan.id}`)
    const { after, isChanged } = await applyEdit<PlanForm>(edit, { basis, own, before, labelsOf: partsLabels })
    if (isChanged) {
      await expectAtWork(tx, company.id, after, before)
      await tx
        .updateTable('work_plan')
        .set(await rowOf(tx, call, after, 'startsOn'))
        .where('company_id', '=', company.id)
        .where('id', '=', plan.id)
        .execute()
      const subject = { kind: 'work_plan' as const, id: plan.id }
      await call.audit(tx, {
        action: 'work_plan.changed',
        subject,
        detail: { before: auditDetailsOf(before), after: auditDetailsOf(after) },
      })
    }
    return { success: true as const, message: say`Maintenance plan “${after.title}” was saved.`, planId: plan.id }
  })
})

const auditDetailsOf = ({ location, ...form }: PlanForm) => ({ ...form, location: location.text })

export const formOf = (plan: Plan): PlanForm => ({
  title: plan.title,
  description: plan.description,
  kind: plan.kind,
  severity: plan.severity,
  location: locationFromRow(plan),
  departmentId: plan.department_id,
  assignedTo: plan.assigned_to,
  crewId: plan.crew_id,
  checklist: plan.checklist.join('\n'),
  parts: plan.parts,
  repeats: { ...repeatsOf(plan.rule), weekdays: [...repeatsOf(plan.rule).weekdays] },
  startsOn: plan.starts_on,
  startTime: plan.start_time,
  minutes: plan.minutes,
  leadDays: plan.lead_days,
  active: plan.is_active === 1,
})
