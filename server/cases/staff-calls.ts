import { sql } from 'kysely'
import { staffPrivileges } from '../../shared/areas.ts'
import { isMunicipalityRole, may, mayEnterAdmin, type Privileges } from '../../shared/privileges.ts'
import type { CaseHolder } from '../../shared/cases.ts'
import { say, translated } from '../../shared/messages.ts'
import { notFound, rejected } from '../errors.ts'
import type { Tx } from '../tenancy.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

/** Staff member of the platform or of one company. */
export interface StaffMember {
  id: number
  name: string
  email: string
  role_id: number
  privileges: Privileges
  is_active: number
  locked_at: Date | null
  department_id: number | null
}

export interface Department {
  id: number
  name: string
  is_active: number
}

const nameOfPerson = sql`trim(p.first_name || ' ' || p.last_name)`
const columns = sql`p.id, ${nameOfPerson} AS name, p.email, p.role_id, p.privileges, p.is_active,
  p.locked_at, p.department_id`

/**
 * Returns SQL for the FROM and WHERE clauses that select staff or departments, with alias `p`. For a company, selects
 * only that company's rows.
 */
function peopleOf(of: CaseKind, company: number) {
  return of.calls.audience === 'platform'
    ? { people: sql`platform_person p WHERE true`, departments: sql`platform_department p WHERE true` }
    : {
        people: sql`person p WHERE p.company_id = ${company} AND p.role_id >= 3`,
        departments: sql`department p WHERE p.company_id = ${company}`,
      }
}

/** True if the person's role and own privileges allow reading cases of this kind. */
export function reads(of: CaseKind, { role_id, privileges }: Pick<StaffMember, 'role_id' | 'privileges'>): boolean {
  const works = of.calls.audience === 'platform' ? mayEnterAdmin(role_id) : isMunicipalityRole(role_id)
  return works && may(staffPrivileges(role_id, privileges), ...of.calls.rights.read)
}

const atWork = ({ is_active, locked_at }: StaffMember) => is_active === 1 && locked_at === null

/** True if the person is active and may read cases of this kind. */
export const canWorkOn = (of: CaseKind, worker: StaffMember): boolean => atWork(worker) && reads(of, worker)

/**
 * Finds a staff member and locks their row until the transaction ends.
 * @throws 404 if unknown
 */
export async function lockStaffMember(tx: Tx, of: CaseKind, company: number, id: number): Promise<StaffMember> {
  const { rows } = await sql<StaffMember>`
    SELECT ${columns} FROM ${peopleOf(of, company).people} AND p.id = ${id} FOR SHARE`.execute(tx)
  if (!rows[0]) throw notFound('This staff member was not found.')
  return rows[0]
}

/** Finds an active department. @throws 404 if unknown, 422 if inactive */
export async function lockDepartment(tx: Tx, of: CaseKind, company: number, id: number): Promise<Department> {
  const { rows } = await sql<Department>`
    SELECT p.id, p.name, p.is_active FROM ${peopleOf(of, company).departments} AND p.id = ${id} FOR SHARE`.execute(tx)
  const department = rows[0]
  if (!department) throw notFound('This department was not found. Choose another one.')
  if (department.is_active !== 1) throw rejected(say`${department.name} is inactive. Choose another department.`)
  return department
}

/** Checks that a person can work on the case. @throws 422 if not */
export function expectAtWork(of: CaseKind, worker: StaffMember): void {
  const { name } = worker
  if (worker.is_active !== 1) throw rejected(say`${name} is inactive. Choose someone else.`)
  if (worker.locked_at) throw rejected(say`${name} has a locked account. Choose someone else.`)
  if (!reads(of, worker)) throw rejected(say`${name} ${translated(of.texts.mayNotRead)}. Choose someone else.`)
}

/** Lists the staff who can work on cases of this kind. `only` restricts the list to a department or to these ids. */
export async function staffMembersOf(
  tx: Tx,
  of: CaseKind,
  company: number,
  only: { department?: number; ids?: readonly number[] } = {},
): Promise<StaffMember[]> {
  const those =
    only.department !== undefined
      ? sql`AND p.department_id = ${only.department}`
      : only.ids
        ? sql`AND p.id = ANY (${[...only.ids]}::bigint[])`
        : sql``
  const { rows } = await sql<StaffMember>`
    SELECT ${columns} FROM ${peopleOf(of, company).people} ${those} ORDER BY p.last_name, p.first_name, p.id LIMIT 1000`.execute(
    tx,
  )
  return rows
}

export async function departmentsOf(tx: Tx, of: CaseKind, company: number): Promise<Department[]> {
  const { rows } = await sql<Department>`
    SELECT p.id, p.name, p.is_active FROM ${peopleOf(of, company).departments} ORDER BY lower(p.name) LIMIT 500`.execute(
    tx,
  )
  return rows
}

/**
 * Finds the current assignee. The transaction must have the permissions of the staff who handle the case, because a
 * company's transaction can't see platform staff.
 */
export async function assigneeOf(
  tx: Tx,
  of: CaseKind,
  { company_id, assigned_to, department_id }: CaseRow,
): Promise<CaseHolder> {
  const holder = { personId: assigned_to, departmentId: department_id }
  if (assigned_to === null && department_id === null) return { ...holder, name: '', active: true }
  const { people, departments } = peopleOf(of, company_id)
  const those =
    assigned_to === null
      ? sql`SELECT p.name, p.is_active = 1 AS active FROM ${departments} AND p.id = ${department_id}`
      : sql`SELECT ${nameOfPerson} AS name, p.is_active = 1 AND p.locked_at IS NULL AS active
          FROM ${people} AND p.id = ${assigned_to}`
  const { rows } = await sql<Pick<CaseHolder, 'name' | 'active'>>`${those}`.execute(tx)
  return { ...holder, ...(rows[0] ?? { name: say`someone else`, active: false }) }
}
