import { type RawBuilder, sql } from 'kysely'
import { signedIn } from '../call.ts'
import type { ListQuery } from '../list-source.ts'

/** Filters a list by assignee: `me`, `nobody`, my `department`, one department as `d17`, or one person. */
export function heldBy(whose: string | number, { call, company }: ListQuery): RawBuilder<unknown> {
  const me = signedIn(call).personId
  const town = company?.id ?? 0
  const mine = sql`(SELECT m.department_id FROM person m WHERE m.company_id = ${town} AND m.id = ${me})`
  if (whose === 'nobody') return sql`r.assigned_to IS NULL AND r.department_id IS NULL`
  if (whose === 'me') return sql`r.assigned_to = ${me}`
  // Cases of a department's members also count as the department's.
  if (whose === 'department')
    return sql`(r.department_id = ${mine} OR r.assigned_to IN (
      SELECT o.id FROM person o WHERE o.company_id = ${town} AND o.department_id = ${mine}))`
  return typeof whose === 'string' ? sql`r.department_id = ${Number(whose.slice(1))}` : sql`r.assigned_to = ${whose}`
}
