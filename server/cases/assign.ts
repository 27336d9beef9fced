import { sql } from 'kysely'
import { auditCompany } from '../audit.ts'
import { type Call, type Handler, implement } from '../call.ts'
import { conflict, rejected } from '../errors.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import {
  canWorkOn,
  departmentsOf,
  expectAtWork,
  lockDepartment,
  lockStaffMember,
  assigneeOf,
  staffMembersOf,
} from './staff-calls.ts'
import { addAssignment, inStaffScope, authorOf, lockCase } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { say } from '../../shared/messages.ts'

/** Assignee of a case: a person or a department. If both are null, the case is unassigned. */
export interface Assignee {
  assigned_to: number | null
  department_id: number | null
  name: string
}
export const UNASSIGNED: Assignee = { assigned_to: null, department_id: null, name: '' }

/** Assigns a locked case to a person or a department, or unassigns it. Does nothing if the assignee is the same. */
export async function assignCase<Row extends CaseRow>(
  tx: Tx,
  call: Call,
  of: CaseKind<Row>,
  row: Row,
  to: Assignee,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (row.assigned_to === to.assigned_to && row.department_id === to.department_id) return
  const { clock } = call.context
  await addAssignment(tx, call.context, of, row, {
    by: authorOf(call, of),
    at: clock.now(),
    text: to.name,
    assigned_to: to.assigned_to,
    department_id: to.department_id,
  })
  await auditCompany(tx, clock, companyIdFrom('platform', row.company_id), call, {
    action: of.audit.assigned,
    subject: { kind: of.subject, id: of.numberOf(row.id) },
    detail: { ...details, to: to.name || null },
  })
}

/** Assigns a case to the caller. */
export function assignToCaller<Row extends CaseRow>(tx: Tx, call: Call, of: CaseKind<Row>, row: Row): Promise<void> {
  const { id, name } = authorOf(call, of)
  return assignCase(tx, call, of, row, { assigned_to: id, department_id: null, name })
}

/** Returns the calls to assign a case and to list the possible assignees. */
export function assignCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  return [
    implement(of.calls.assign, (call) =>
      inStaffScope(call, of, async (tx) => {
        const { company, body } = call
        if (body.personId !== null && body.departmentId !== null)
          throw rejected('Choose a person or a department, not both.')
        const worker = body.personId === null ? null : await lockStaffMember(tx, of, company.id, body.personId)
        const department =
          body.departmentId === null ? null : await lockDepartment(tx, of, company.id, body.departmentId)
        const row = await lockCase(tx, of, company.id, body.subjectId)
        const number = of.numberOf(row.id)
        const isThere = row.assigned_to === body.personId && row.department_id === body.departmentId
        const moved =
          (body.from !== undefined && row.assigned_to !== body.from) ||
          (body.fromDepartment !== undefined && row.department_id !== body.fromDepartment)
        const { name: holder } = await assigneeOf(tx, of, row)
        if (moved && !isThere)
          throw conflict(
            'taken',
            holder
              ? say`Someone else assigned ${number} to ${holder}. Review the assignment, then try again.`
              : say`Someone else unassigned ${number}. Review the assignment, then try again.`,
          )
        if (worker && worker.id !== row.assigned_to) expectAtWork(of, worker)
        const name = worker?.name ?? department?.name ?? ''
        const to = { assigned_to: worker?.id ?? null, department_id: department?.id ?? null, name }
        await assignCase(tx, call, of, row, to, { from: holder || null })
        return {
          success: true as const,
          message: name ? say`${number} was assigned to ${name}.` : say`${number} was unassigned.`,
        }
      }),
    ),
    implement(of.calls.assignees, (call) =>
      inStaffScope(call, of, async (tx) => {
        const isCompanyStaff = of.calls.audience === 'municipality'
        const company = isCompanyStaff ? call.company.id : 0
        const open = await openBy(tx, of, isCompanyStaff ? company : null)
        const workers = (await staffMembersOf(tx, of, company)).map((worker) => ({
          id: worker.id,
          name: worker.name,
          active: canWorkOn(of, worker),
          open: open.people.get(worker.id) ?? 0,
        }))
        const departments = (await departmentsOf(tx, of, company)).map(({ id, name, is_active }) => ({
          ...{ id, name, active: is_active === 1, open: open.departments.get(id) ?? 0 },
        }))
        const counts = ({ active, open: n }: { active: boolean; open: number }) => active || n > 0
        return { people: workers.filter(counts), departments: departments.filter(counts) }
      }),
    ),
  ]
}

/** Counts the open cases of each assignee. */
async function openBy(tx: Tx, of: CaseKind, company: number | null) {
  const companyCondition = company === null ? sql`` : sql`AND r.company_id = ${company}`
  const count = async (column: 'assigned_to' | 'department_id') => {
    const { rows } = await sql<{ id: number; n: number }>`
      SELECT ${sql.ref(`r.${column}`)} AS id, count(*)::int AS n FROM ${sql.table(of.table)} r
      WHERE ${of.open} ${companyCondition} AND ${sql.ref(`r.${column}`)} IS NOT NULL GROUP BY 1`.execute(tx)
    return new Map(rows.map(({ id, n }) => [id, n]))
  }
  return { people: await count('assigned_to'), departments: await count('department_id') }
}
