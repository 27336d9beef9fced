import { sql } from 'kysely'
import { defineContent, lastEditOf } from '../../../server/contents.ts'
import { noLocation } from '../../../shared/places.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import type { RepeatRule } from '../../../shared/repeats.ts'
import { type PlannedPart, planForm, savePlan } from '../contract.ts'
import { type OrderKind, kindLabels, type Severity, severityLabels } from '../rules.ts'
import { findPlan } from './copy-plan.ts'
import { partText } from './parts.ts'
import { formOf, type PlanForm, savePlanCall } from './plans.ts'

export function intervalText({ unit, every }: Pick<RepeatRule, 'unit' | 'every'>): string {
  if (unit === 'day') return say`Every ${plural(every, '# day', '# days')}`
  if (unit === 'week') return say`Every ${plural(every, '# week', '# weeks')}`
  if (unit === 'month') return say`Every ${plural(every, '# month', '# months')}`
  return say`Every ${plural(every, '# year', '# years')}`
}

const people = { departmentId: null, assignedTo: null, crewId: null }

export const planContent = defineContent({
  kind: 'maintenance-plan',
  label: 'Maintenance plans',
  area: 'work_orders',
  permission: 'update',
  calls: [savePlanCall],
  names: { table: 'work_plan', column: 'title', maxLength: 120 },
  settings: {
    title: 'Title',
    description: 'Description',
    kind: 'Type of work',
    severity: 'Severity',
    repeats: 'Interval',
    startTime: 'Start time',
    minutes: 'Minutes',
    leadDays: 'Days in advance',
    checklist: 'Checklist',
    parts: 'Parts to bring',
  },
  texts: {
    kind: (value: OrderKind) => translated(kindLabels[value]),
    severity: (value: Severity) => translated(severityLabels[value]),
    repeats: (value: RepeatRule) => intervalText(value),
    parts: (value: readonly PlannedPart[]) => value.map(partText).join('\n'),
  },
  usual: {
    ...{
      description: '',
      kind: 'maintenance',
      severity: 1,
      startTime: '',
      minutes: 60,
      leadDays: 7,
      checklist: '',
      parts: [],
    },
    // The first day of a new plan is the day on which staff add the plan.
    ...{ location: noLocation, startsOn: '2000-01-01', active: false, ...people },
  },
  schema: planForm,
  async read(tx, company, id) {
    const plan = await findPlan(tx, company, id)
    return { form: formOf(plan), fieldSet: null, departmentId: plan.department_id }
  },
  async create({ run, today }, settings, departmentId) {
    const form = settings as PlanForm
    const where = { location: noLocation, startsOn: today, active: false }
    return (await run(savePlan, { ...form, ...where, ...people, departmentId, planId: null })).planId
  },
  save: (run, planId, form, basis) => run(savePlan, { ...(form as PlanForm), planId, basis }),
  listed: sql`
    SELECT r.company_id, r.id, r.title, ${lastEditOf(sql`'work_plan ' || r.id`)} AS changed_at
    FROM work_plan r WHERE r.is_active = 1`,
  path: (id) => `/municipality/work-orders?tab=plans&plan=${id}`,
})
