import { definePack } from '../../../server/packs.ts'
import { noLocation } from '../../../shared/places.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import { repeatsOf } from '../../../shared/repeats.ts'
import { savePlan } from '../contract.ts'
import { kindLabels } from '../rules.ts'
import { intervalText } from './content.ts'
import { savePlanCall } from './plans.ts'

interface PlanEntry {
  title: string
  description: string
  kind: keyof typeof kindLabels
  /** Recurrence rule in the format of RFC 5545. The first day is the day on which staff add the plan. */
  rule: string
  minutes: number
  leadDays: number
  department?: string
  checklist: readonly string[]
}

/** Maintenance plans. They open no work orders until staff activate them. */
export const planPack = definePack<PlanEntry>({
  pack: 'work-order-plans',
  label: 'Maintenance plans',
  area: 'work_orders',
  content: 'maintenance-plan',
  calls: [savePlanCall],
  existing: (tx, company) =>
    tx.selectFrom('work_plan').select(['id', 'title']).where('company_id', '=', company).execute(),
  preview: ({ title, description, kind, rule, minutes, checklist }) => ({
    title,
    text: description,
    details: [
      translated(kindLabels[kind]),
      intervalText(repeatsOf(rule)),
      say`${minutes} minutes`,
      say`${plural(checklist.length, '# checklist item', '# checklist items')}`,
    ],
  }),
  add: async ({ run, department, today }, { department: word, checklist, rule, ...entry }) => {
    const form = {
      ...{ ...entry, severity: 1 as const, location: noLocation, startsOn: today, startTime: '', active: false },
      ...{ departmentId: department(word), assignedTo: null, crewId: null },
      ...{ checklist: checklist.join('\n'), repeats: { ...repeatsOf(rule), weekdays: [] } },
    }
    return (await run(savePlan, { ...form, planId: null })).planId
  },
})
