import { sql } from 'kysely'
import { defaultsOf, isMunicipalityRole, may, mayEnterAdmin, type Privileges } from '../../shared/privileges.ts'
import type { CaseHolder } from '../../shared/cases.ts'
import { say, translated } from '../../shared/words.ts'
import { notFound, rejected } from '../errors.ts'
import type { Tx } from '../tenancy.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

/** Somebody who works at a desk: of the platform, or of one town. */
export interface Worker {
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

/** The desk's people and departments as `p`; a town's are in the town's rows alone. */
function peopleOf(of: CaseKind, company: number) {
  return of.calls.desk === 'platform'
    ? { people: sql`platform_person p WHERE true`, departments: sql`platform_department p WHERE true` }
    : {
        people: sql`person p WHERE p.company_id = ${company} AND p.role_id >= 3`,
        departments: sql`department p WHERE p.company_id = ${company}`,
      }
}

/** May they read cases of this kind at all, by their role and what was changed for them? */
export function reads(of: CaseKind, { role_id, privileges }: Pick<Worker, 'role_id' | 'privileges'>): boolean {
  const works = of.calls.desk === 'platform' ? mayEnterAdmin(role_id) : isMunicipalityRole(role_id)
  return works && may({ ...defaultsOf(role_id), ...privileges }, ...of.calls.rights.read)
}

const atWork = ({ is_active, locked_at }: Worker) => is_active === 1 && locked_at === null

/** Somebody at work who may read it. */
export const canWorkOn = (of: CaseKind, worker: Worker): boolean => atWork(worker) && reads(of, worker)

/** Somebody of the desk, who is not changed until this is done. @throws 404 */
export async function findWorker(tx: Tx, of: CaseKind, company: number, id: number): Promise<Worker> {
  const { rows } = await sql<Worker>`
    SELECT ${columns} FROM ${peopleOf(of, company).people} AND p.id = ${id} FOR SHARE`.execute(tx)
  if (!rows[0]) throw notFound('Nobody with this number works here.')
  return rows[0]
}

/** @throws 404 where there is none, 422 for one that is inactive */
export async function findDepartment(tx: Tx, of: CaseKind, company: number, id: number): Promise<Department> {
  const { rows } = await sql<Department>`
    SELECT p.id, p.name, p.is_active FROM ${peopleOf(of, company).departments} AND p.id = ${id} FOR SHARE`.execute(tx)
  const found = rows[0]
  if (!found) throw notFound('There is no department with this number.')
  if (found.is_active !== 1) throw rejected(say`${found.name} is inactive. Choose another department.`)
  return found
}

/** @throws 422 for somebody who could not work on it */
export function expectAtWork(of: CaseKind, worker: Worker): void {
  const { name } = worker
  if (worker.is_active !== 1) throw rejected(say`${name} is inactive. Choose somebody else.`)
  if (worker.locked_at) throw rejected(say`${name} is locked. Choose somebody else.`)
  if (!reads(of, worker)) throw rejected(say`${name} ${translated(of.words.mayNotRead)}. Choose somebody else.`)
}

/** All of the desk, or those of a department, or these. */
export async function workersOf(
  tx: Tx,
  of: CaseKind,
  company: number,
  only: { department?: number; ids?: readonly number[] } = {},
): Promise<Worker[]> {
  const those =
    only.department !== undefined
      ? sql`AND p.department_id = ${only.department}`
      : only.ids
        ? sql`AND p.id = ANY (${[...only.ids]}::bigint[])`
        : sql``
  const { rows } = await sql<Worker>`
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

/** Who has it by now. For the desk's own transactions: a town's do not see the platform's people. */
export async function holderOf(
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
  return { ...holder, ...(rows[0] ?? { name: say`somebody else`, active: false }) }
}
