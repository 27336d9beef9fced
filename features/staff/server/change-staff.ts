import { sql } from 'kysely'
import { type Call, type Handler, implement } from '../../../server/call.ts'
import { mergeEdit, namesFor, recordChanges } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { labelledMask, policyTitle } from '../../../shared/privilege-labels.ts'
import {
  areaIds,
  type PolicyName,
  policyNames,
  type PrivilegeName,
  type Privileges,
} from '../../../shared/privileges.ts'
import { accounts } from '../../../server/accounts/account-states.ts'
import { say } from '../../../shared/messages.ts'
import type { StaffCalls } from '../contract.ts'
import { differences, differing, gained, positions, toggled, wholeMasks } from '../rules.ts'
import { officeAreas, staffPrivileges } from '../../../shared/areas.ts'
import { assignedRole, expectAssignable } from './roles.ts'
import { expectActiveDepartment } from './departments.ts'
import { changingMember, expectChiefLeft, expectGrantable, nameOf } from './guards.ts'
import { editOf, findMember, type Member, type StaffDirectory, usualOf } from './staff-directory.ts'

type DirectoryOf = (call: Call) => StaffDirectory

/** Saves name, role, position and department. A new role resets the privileges to its defaults. */
export const savePerson = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.save, (call) => {
    const directory = directoryOf(call)
    return changingMember(call, calls.save, directory, async (tx, before, actor) => {
      const { personId: _personId, basis, ...form } = call.body
      const edit = editOf(tx, call, directory, `person ${before.id}`)
      const now = editedOf(before)
      const { first_name, last_name, role, position, department_id } = await mergeEdit(edit, {
        ...{ basis: basis && storedNames(basis), own: storedNames(form) as typeof now, now, formName },
      })
      const moves = role !== now.role
      const assigned = moves ? await assignedRole(tx, call, role) : null
      if (assigned) expectAssignable(actor, assigned, staffPrivileges(before.role_id, before.privileges), directory)
      if (department_id !== before.department_id) await expectActiveDepartment(tx, directory, department_id)
      await sql`
        UPDATE ${directory.people} p SET first_name = ${first_name}, last_name = ${last_name},
          position = ${position}, department_id = ${department_id}
        WHERE ${directory.own('p')} AND p.id = ${before.id}`.execute(tx)
      if (assigned) await directory.assign(tx, before.id, assigned)
      await expectChiefLeft(tx, directory, before)
      const after = await findMember(tx, directory, before.id)
      await recordChanges(edit, now, editedOf(after))
      const detail = changesOf(detailsOf(before, directory), detailsOf(after, directory))
      await directory.audit(tx, {
        action: 'staff.changed',
        subject: { kind: 'person', id: before.id },
        person: before.id,
        detail,
      })
      return { success: true as const, message: say`The changes to ${nameOf(after)} were saved.` }
    })
  })

const { storedNames, formName } = namesFor({
  ...{ firstName: 'first_name', lastName: 'last_name', roleId: 'role' },
  ...{ position: 'position', departmentId: 'department_id' },
})
const editedOf = ({ first_name, last_name, role_id, staff_role_id, position, department_id }: Member) => ({
  ...{ first_name, last_name, role: staff_role_id === null ? role_id : `role:${staff_role_id}` },
  ...{ position, department_id },
})

const detailsOf = (member: Member, directory: StaffDirectory): Record<string, unknown> => ({
  firstName: member.first_name,
  lastName: member.last_name,
  role: member.role_name ?? directory.roles[member.role_id] ?? member.role_id,
  position: member.position === null ? null : positions[member.position],
  department: member.department,
  privileges: member.privileges,
})

/** Lists changed values, for example `{ role: { from, to } }`. */
function changesOf(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, { from: before[key], to: after[key] }]))
}

export const changeStatus = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.changeStatus, (call) => {
    const directory = directoryOf(call)
    return changingMember(call, calls.changeStatus, directory, async (tx, before, actor) => {
      const transitionActor = { ...actorOf(call), privileges: actor.privileges }
      const request = { scope: directory.scope, id: before.id, event: call.body.step, actor: transitionActor }
      const { message } = await transition(tx, accounts, request)
      await expectChiefLeft(tx, directory, before)
      return { success: true as const, message }
    })
  })

/**
 * Saves a person's own privileges. Null resets them to those of the role. Changes only the bits that the person changed
 * in the form.
 */
export const savePrivileges = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.savePrivileges, (call) => {
    const { body } = call
    const directory = directoryOf(call)
    return changingMember(call, calls.savePrivileges, directory, async (tx, before, actor) => {
      const now = staffPrivileges(before.role_id, before.privileges)
      const isOfAreas = Object.keys(body.privileges ?? {}).some((name) => name in areaIds)
      const own = isOfAreas ? ownAreas(before, now, body) : ownPolicies(before, now, body)
      const requested = staffPrivileges(before.role_id, own)
      expectGrantable(actor, gained(requested, now), isOfAreas ? officeAreas : undefined)
      await sql`
        UPDATE ${directory.people} p SET privileges = ${JSON.stringify(own)}::jsonb
        WHERE ${directory.own('p')} AND p.id = ${before.id}`.execute(tx)
      await expectChiefLeft(tx, directory, before)
      const names = isOfAreas || before.staff_role_id !== null ? officeAreas : policyNames
      const detail = changesOf(maskedBy(now, names), maskedBy(requested, names))
      await directory.audit(tx, {
        action: 'staff.privileges_changed',
        subject: { kind: 'person', id: before.id },
        person: before.id,
        detail,
      })
      return { success: true as const, message: say`The privileges for ${nameOf(before)} were saved.` }
    })
  })

/** Selects the masks that a person has, without names that the person's privileges lack. */
const maskedBy = (privileges: Privileges, names: readonly PrivilegeName[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => name in privileges).map((name) => [name, privileges[name]]))

interface SentPrivileges {
  privileges: Privileges | null
  basis?: Privileges | undefined
}

/** Returns the person's own levels of all areas. If they equal those of the role, returns the role's privileges. */
function ownAreas(before: Member, now: Privileges, { privileges, basis }: SentPrivileges): Privileges {
  const requested = toggled(now, basis ?? now, { ...now, ...privileges }, officeAreas)
  const role = before.role_privileges ?? {}
  if (differences(officeAreas, requested, usualOf(before)).length === 0) return role
  return { ...role, ...requested }
}

/**
 * Returns the masks of policies that differ from the role's defaults.
 * @throws 422 if the person has levels of areas, because older pages know only policies
 */
function ownPolicies(before: Member, now: Privileges, { privileges, basis }: SentPrivileges): Privileges {
  if (!privileges) return before.role_privileges ?? {}
  if (Object.keys(before.privileges).some((name) => name in areaIds))
    throw rejected(say`This person's privileges are levels of areas. Reload the page and try again.`)
  expectLabelled(privileges)
  return differing(before.role_id, wholeMasks(before.role_id, toggled(now, basis ?? now, privileges)))
}

/**
 * Refuses the bits of permissions without a label, because no one can grant these permissions.
 * @throws 422 if the sub-module does not have the bit
 */
function expectLabelled(privileges: Privileges): void {
  for (const [policy, mask] of Object.entries(privileges))
    if ((mask & ~labelledMask(policy as PolicyName)) !== 0)
      throw rejected(
        say`The sub-module “${policyTitle(policy as PolicyName)}” does not have this permission. Reload the page.`,
      )
}
