import { type RawBuilder, sql } from 'kysely'
import { signedIn } from '../call.ts'
import type { ListQuery } from '../list-source.ts'

/**
 * Returns the condition that filters a list by assignee. The filter is `me`, `nobody`, `department` (the caller's own),
 * another department such as `d17`, or the id of one person.
 */
export function byAssignee(assignee: string | number, { call, company }: ListQuery): RawBuilder<unknown> {
  const me = signedIn(call).personId
  const companyId = company?.id ?? 0
  const ownDepartment = sql`(SELECT m.department_id FROM person m WHERE m.company_id = ${companyId} AND m.id = ${me})`
  if (assignee === 'nobody') return sql`r.assigned_to IS NULL AND r.department_id IS NULL`
  if (assignee === 'me') return sql`r.assigned_to = ${me}`
  // The department filter includes cases that are assigned to a member of the department.
  if (assignee === 'department')
    return sql`(r.department_id = ${ownDepartment} OR r.assigned_to IN (
      SELECT o.id FROM person o WHERE o.company_id = ${companyId} AND o.department_id = ${ownDepartment}))`
  return typeof assignee === 'string'
    ? sql`r.department_id = ${Number(assignee.slice(1))}`
    : sql`r.assigned_to = ${assignee}`
}
