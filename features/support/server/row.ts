import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { numberOf } from '../rules.ts'

/** Of `r`, a request, and `p`, whoever it is assigned to. */
export const assigneeName = sql`trim(p.first_name || ' ' || p.last_name)`
export const assigneeActive = sql`(p.is_active = 1 AND p.locked_at IS NULL)`
export const departmentName = sql`(SELECT d.name FROM platform_department d WHERE d.id = r.department_id)`
export const answered = sql`CASE WHEN r.first_answered_at IS NULL THEN 'not yet' WHEN r.last_from = 'person' THEN 'wrote again' ELSE 'yes' END`

/** A request as its slide-out reads it. */
export type RequestRow = Selectable<Schema['support_request']> & {
  company: string
  assignee: string | null
  assignee_active: boolean | null
  department: string | null
  answered: 'not yet' | 'yes' | 'wrote again'
}

/** As much of a message as a row shows of it. */
const SUBJECT = 90

export function subjectOf(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ')
  return line.length > SUBJECT ? `${line.slice(0, SUBJECT).replace(/\s\S*$/, '')} …` : line
}

export const rowOf = (row: RequestRow) => ({
  id: row.id,
  number: numberOf(row.id),
  companyId: row.company_id,
  company: row.company,
  at: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  status: row.status,
  category: row.category,
  name: row.name,
  email: row.email,
  subject: subjectOf(row.message),
  assignee:
    row.assigned_to === null
      ? null
      : { id: row.assigned_to, name: row.assignee ?? '', active: row.assignee_active === true },
  departmentId: row.department_id,
  department: row.department,
  answered: row.answered,
})
