import { sql } from 'kysely'
import { type Call, type Handler, implement } from '../../../server/call.ts'
import { mergeEdit, namesFor, recordChanges } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { labelledMask, policyTitle } from '../../../shared/privilege-labels.ts'
import { defaultsOf, type PolicyName, type Privileges } from '../../../shared/privileges.ts'
import { accounts } from '../../../server/accounts/account-states.ts'
import { say } from '../../../shared/messages.ts'
import type { StaffCalls } from '../contract.ts'
import { differing, gained, positions, toggled, wholeMasks } from '../rules.ts'
import { staffPrivileges } from '../../../shared/areas.ts'
import { expectActiveDepartment } from './departments.ts'
import { changingMember, expectChiefLeft, expectGrantable, expectRole, nameOf } from './guards.ts'
import { editOf, findMember, type Member, type StaffDirectory } from './staff-directory.ts'

type DirectoryOf = (call: Call) => StaffDirectory

/** Saves name, role, position and department. A new role resets the privileges to its defaults. */
export const savePerson = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.save, (call) => {
    const directory = directoryOf(call)
    return changingMember(call, calls.save, directory, async (tx, before, actor) => {
      const { personId: _personId, basis, ...form } = call.body
      const edit = editOf(tx, call, directory, `person ${before.id}`)
      const now = editedOf(before)
      const { first_name, last_name, role_id, position, department_id } = await mergeEdit(edit, {
        ...{ basis: basis && storedNames(basis), own: storedNames(form) as typeof now, now, formName },
      })
      const moves = role_id !== before.role_id
      if (moves) {
        expectRole(actor, role_id, directory)
        expectGrantable(actor, gained(defaultsOf(role_id), staffPrivileges(before.role_id, before.privileges)))
      }
      if (department_id !== before.department_id) await expectActiveDepartment(tx, directory, department_id)
      await sql`
        UPDATE ${directory.people} p SET first_name = ${first_name}, last_name = ${last_name},
          role_id = ${role_id}, position = ${position}, department_id = ${department_id},
          privileges = ${JSON.stringify(moves ? {} : before.privileges)}::jsonb
        WHERE ${directory.own('p')} AND p.id = ${before.id}`.execute(tx)
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
  ...{ firstName: 'first_name', lastName: 'last_name', roleId: 'role_id' },
  ...{ position: 'position', departmentId: 'department_id' },
})
const editedOf = ({ first_name, last_name, role_id, position, department_id }: Member) => ({
  ...{ first_name, last_name, role_id, position, department_id },
})

const detailsOf = (member: Member, directory: StaffDirectory): Record<string, unknown> => ({
  firstName: member.first_name,
  lastName: member.last_name,
  role: directory.roles[member.role_id] ?? member.role_id,
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
 * Saves the differences from the role's defaults. Null resets the privileges. Changes only the bits that the person
 * changed in the form.
 */
export const savePrivileges = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.savePrivileges, (call) => {
    const { body } = call
    const directory = directoryOf(call)
    return changingMember(call, calls.savePrivileges, directory, async (tx, before, actor) => {
      if (body.privileges) expectLabelled(body.privileges)
      const now = staffPrivileges(before.role_id, before.privileges)
      const requested = body.privileges
        ? wholeMasks(before.role_id, toggled(now, body.basis ?? now, body.privileges))
        : defaultsOf(before.role_id)
      expectGrantable(actor, gained(requested, now))
      const changedPrivileges = differing(before.role_id, requested)
      await sql`
        UPDATE ${directory.people} p SET privileges = ${JSON.stringify(changedPrivileges)}::jsonb
        WHERE ${directory.own('p')} AND p.id = ${before.id}`.execute(tx)
      await expectChiefLeft(tx, directory, before)
      const detail = changesOf(
        staffPrivileges(before.role_id, before.privileges) as Record<string, unknown>,
        staffPrivileges(before.role_id, changedPrivileges) as Record<string, unknown>,
      )
      await directory.audit(tx, {
        action: 'staff.privileges_changed',
        subject: { kind: 'person', id: before.id },
        person: before.id,
        detail,
      })
      return { success: true as const, message: say`The privileges for ${nameOf(before)} were saved.` }
    })
  })

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
