import { sql } from 'kysely'
import { implementCopy } from '../../../server/copies.ts'
import { rowFinderById } from '../../../server/db/rows.ts'
import { notFound } from '../../../server/errors.ts'
import { copyPlan } from '../contract.ts'
import type { Plan } from './plans.ts'

export const { find: findPlan } = rowFinderById('work_plan', () => notFound('This plan was not found.'))

/** Copies a maintenance plan. The copy is not in use, and its work is assigned to no person. */
export const copyPlanCall = implementCopy<Plan>(copyPlan, {
  read: findPlan,
  names: { table: 'work_plan', column: 'title', maxLength: 120 },
  nameOf: ({ title }) => title,
  audit: { action: 'work_plan.made', subject: 'work_plan' },
  async create({ tx, company, from, name }) {
    const columns = sql`company_id, description, kind, severity, department_id, crew_id, location, address_id, lat, lon, at,
      checklist, parts, rule, starts_on, start_time, minutes, lead_days, next_on`
    const { rows } = await sql<{ id: number }>`
      INSERT INTO work_plan (title, is_active, ${columns})
      SELECT ${name}, 0, ${columns} FROM work_plan WHERE company_id = ${company} AND id = ${from} RETURNING id`.execute(
      tx,
    )
    return rows[0]?.id ?? 0
  },
})
