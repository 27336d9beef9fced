import { sql } from 'kysely'
import { type Call, type Handler, implement, signedIn } from '../../../server/call.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import type { StaffCalls } from '../contract.ts'
import { departmentStates } from '../states.ts'
import { departments, statusOf, unknownDepartment } from './department-states.ts'
import { changing, editOf, type StaffDirectory } from './staff-directory.ts'

const taken = { field: 'name', message: 'A department with this name already exists.' }
defineUnique({ index: 'department_name_once', ...taken }, { index: 'platform_department_name_once', ...taken })

/** Maximum number of people named in the message about a department with staff. The message only counts the rest. */
const NAMED = 5

interface Department {
  id: number
  name: string
  is_active: 0 | 1
}

type DirectoryOf = (call: Call) => StaffDirectory

/** Lists the departments, active departments first. The list is short, so it has no pages. */
export const listDepartments = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.departments, (call) => {
    const directory = directoryOf(call)
    return directory.within(async (tx) => {
      const { rows } = await sql<Department & { staff: number }>`
        SELECT d.id, d.name, d.is_active,
          (SELECT count(*)::int FROM ${directory.people} p WHERE ${directory.own('p')} AND p.department_id = d.id AND p.is_active = 1) AS staff
        FROM ${directory.departments} d WHERE ${directory.own('d')} ORDER BY d.is_active DESC, lower(d.name), d.id LIMIT 500`.execute(
        tx,
      )
      const { privileges } = signedIn(call)
      return {
        departments: rows.map(({ id, name, is_active, staff }) => {
          const status = statusOf({ is_active })
          const moves = buttonsFrom(departmentStates, status, { as: 'staff', privileges })
          return {
            id,
            name,
            status,
            staff,
            can: { edit: may(privileges, 'department_management', 'update'), ...moves },
          }
        }),
      }
    })
  })

export const createDepartment = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.createDepartment, (call) => {
    const directory = directoryOf(call)
    const { name } = call.body
    return changing(call, calls.createDepartment.access, directory, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        INSERT INTO ${directory.departments} (${directory.start.columns} name, created_at)
        VALUES (${directory.start.values} ${name}, ${call.context.clock.now()}) RETURNING id`.execute(tx)
      const departmentId = rows[0]?.id ?? 0
      const request = { scope: directory.scope, id: departmentId, event: 'create' as const, actor: actorOf(call) }
      await recordCreation(tx, departments, { ...request, detail: { name } })
      return { success: true as const, message: say`${name} was added.`, departmentId }
    })
  })

export const renameDepartment = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.renameDepartment, (call) => {
    const directory = directoryOf(call)
    const { departmentId, basis } = call.body
    return changing(call, calls.renameDepartment.access, directory, async (tx) => {
      const before = await findDepartment(tx, directory, departmentId)
      const edit = editOf(tx, call, directory, `department ${before.id}`)
      const { name } = await mergeEdit(edit, { basis, own: { name: call.body.name }, now: { name: before.name } })
      await recordChanges(edit, { name: before.name }, { name })
      await sql`UPDATE ${directory.departments} d SET name = ${name} WHERE ${directory.own('d')} AND d.id = ${before.id}`.execute(
        tx,
      )
      const detail = { name: { from: before.name, to: name } }
      await directory.audit(tx, {
        action: 'department.renamed',
        subject: { kind: 'department', id: before.id },
        detail,
      })
      return { success: true as const, message: say`Renamed ${before.name} to ${name}.` }
    })
  })

/** Deactivates a department. Its staff remain assigned, so that past work keeps the department's name. */
export const inactivateDepartment = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.inactivateDepartment, (call) => {
    const directory = directoryOf(call)
    const { departmentId, confirmed } = call.body
    return changing(call, calls.inactivateDepartment.access, directory, async (tx, { privileges }) => {
      const { id, name } = await findDepartment(tx, directory, departmentId)
      const actor = { ...actorOf(call), privileges }
      const { message } = await transition(tx, departments, { scope: directory.scope, id, event: 'inactivate', actor })
      const within = await describeStaff(tx, directory, id)
      if (within && !confirmed)
        throw conflict(
          'department_in_use',
          say`${within} in ${name}. They will stay in the department, but you will not be able to assign anyone else to it.`,
        )
      return { success: true as const, message }
    })
  })

export const activateDepartment = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.activateDepartment, (call) => {
    const directory = directoryOf(call)
    return changing(call, calls.activateDepartment.access, directory, async (tx, { privileges }) => {
      const request = { scope: directory.scope, id: call.body.departmentId, actor: { ...actorOf(call), privileges } }
      const { message } = await transition(tx, departments, { ...request, event: 'activate' })
      return { success: true as const, message }
    })
  })

/**
 * Checks that the department is active. Accepts null.
 * @throws 422 for the form's field if the department is inactive or unknown
 */
export async function expectActiveDepartment(tx: Tx, directory: StaffDirectory, id: number | null): Promise<void> {
  if (id === null) return
  const department = await findDepartment(tx, directory, id).catch(() => null)
  const message = department
    ? say`${department.name} is inactive. Choose another department.`
    : say`Choose a department from the list.`
  if (department?.is_active !== 1) throw rejected(message, { departmentId: message })
}

/** @throws 404 if the department does not exist */
async function findDepartment(tx: Tx, directory: StaffDirectory, id: number): Promise<Department> {
  const { rows } = await sql<Department>`
    SELECT d.id, d.name, d.is_active FROM ${directory.departments} d WHERE ${directory.own('d')} AND d.id = ${id}`.execute(
    tx,
  )
  if (!rows[0]) throw unknownDepartment()
  return rows[0]
}

/**
 * Describes the active staff of a department as the start of a sentence, such as 'Elena Kowalski and Paul Reese work'.
 * Empty if it has none.
 */
async function describeStaff(tx: Tx, directory: StaffDirectory, id: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT p.first_name || ' ' || p.last_name AS name FROM ${directory.people} p
    WHERE ${directory.own('p')} AND p.department_id = ${id} AND p.is_active = 1 ORDER BY p.last_name, p.id`.execute(tx)
  const names = rows.slice(0, NAMED).map((row) => row.name)
  if (rows.length > NAMED) names.push(say`${rows.length - NAMED} more`)
  const last = names.pop()
  if (last === undefined) return ''
  return names.length === 0 ? say`${last} works` : say`${names.join(', ')} and ${last} work`
}
