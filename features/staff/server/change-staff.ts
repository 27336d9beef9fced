import { sql } from 'kysely'
import { type Call, type Handler, implement } from '../../../server/call.ts'
import { mergeEdit, namesFor, noteChanges } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { labelledMask } from '../../../shared/privilege-labels.ts'
import { defaultsOf, type PolicyName, type Privileges } from '../../../shared/privileges.ts'
import { accounts } from '../../../server/accounts/account-states.ts'
import { say } from '../../../shared/words.ts'
import type { StaffCalls } from '../contract.ts'
import { differing, effective, gained, positions, toggled, wholeMasks } from '../rules.ts'
import { expectActiveDepartment } from './departments.ts'
import { changingMember, expectChiefLeft, expectHeld, expectRole, nameOf } from './guards.ts'
import { editOf, findMember, type Member, type StaffDirectory } from './staff-directory.ts'

type DirectoryOf = (call: Call) => StaffDirectory

/** Name, role, position and department. A change of the role begins with that role's defaults. */
export const savePerson = (calls: StaffCalls, rosterOf: DirectoryOf): Handler =>
  implement(calls.save, (call) => {
    const roster = rosterOf(call)
    return changingMember(call, calls.save, roster, async (tx, before, actor) => {
      const { personId: _personId, basis, ...form } = call.body
      const edit = editOf(tx, call, roster, `person ${before.id}`)
      const now = editedOf(before)
      const { first_name, last_name, role_id, position, department_id } = await mergeEdit(edit, {
        ...{ basis: basis && keptNames(basis), mine: keptNames(form) as typeof now, now, formName },
      })
      const moves = role_id !== before.role_id
      if (moves) {
        expectRole(actor, role_id, roster)
        expectHeld(actor, gained(defaultsOf(role_id), effective(before.role_id, before.privileges)))
      }
      if (department_id !== before.department_id) await expectActiveDepartment(tx, roster, department_id)
      await sql`
        UPDATE ${roster.people} p SET first_name = ${first_name}, last_name = ${last_name},
          role_id = ${role_id}, position = ${position}, department_id = ${department_id},
          privileges = ${JSON.stringify(moves ? {} : before.privileges)}::jsonb
        WHERE ${roster.own('p')} AND p.id = ${before.id}`.execute(tx)
      await expectChiefLeft(tx, roster, before)
      const after = await findMember(tx, roster, before.id)
      await noteChanges(edit, now, editedOf(after))
      const detail = changesOf(factsOf(before, roster), factsOf(after, roster))
      await roster.audit(tx, {
        action: 'staff.changed',
        subject: { kind: 'person', id: before.id },
        person: before.id,
        detail,
      })
      return { success: true as const, message: say`${nameOf(after)} was saved.` }
    })
  })

const { keptNames, formName } = namesFor({
  ...{ firstName: 'first_name', lastName: 'last_name', roleId: 'role_id' },
  ...{ position: 'position', departmentId: 'department_id' },
})
const editedOf = ({ first_name, last_name, role_id, position, department_id }: Member) => ({
  ...{ first_name, last_name, role_id, position, department_id },
})

const factsOf = (member: Member, roster: StaffDirectory): Record<string, unknown> => ({
  firstName: member.first_name,
  lastName: member.last_name,
  role: roster.roles[member.role_id] ?? member.role_id,
  position: member.position === null ? null : positions[member.position],
  department: member.department,
  privileges: member.privileges,
})

/** `{ role: { from, to } }`, for what is not the same. */
function changesOf(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, { from: before[key], to: after[key] }]))
}

/** Activates, deactivates, locks or unlocks. */
export const changeStatus = (calls: StaffCalls, rosterOf: DirectoryOf): Handler =>
  implement(calls.changeStatus, (call) => {
    const roster = rosterOf(call)
    return changingMember(call, calls.changeStatus, roster, async (tx, before, actor) => {
      const who = { ...actorOf(call), privileges: actor.privileges }
      const wish = { place: roster.place, id: before.id, event: call.body.step, who }
      const { message } = await transition(tx, accounts, wish)
      await expectChiefLeft(tx, roster, before)
      return { success: true as const, message }
    })
  })

/**
 * Sets what differs from the role's defaults; null takes all of that back. Each right counts by itself: the form changes
 * those that its sender changed since it was opened, and no other.
 */
export const savePrivileges = (calls: StaffCalls, rosterOf: DirectoryOf): Handler =>
  implement(calls.savePrivileges, (call) => {
    const { body } = call
    const roster = rosterOf(call)
    return changingMember(call, calls.savePrivileges, roster, async (tx, before, actor) => {
      if (body.privileges) expectLabelled(body.privileges)
      const now = effective(before.role_id, before.privileges)
      const wanted = body.privileges
        ? wholeMasks(before.role_id, toggled(now, body.basis ?? now, body.privileges))
        : defaultsOf(before.role_id)
      expectHeld(actor, gained(wanted, now))
      const kept = differing(before.role_id, wanted)
      await sql`
        UPDATE ${roster.people} p SET privileges = ${JSON.stringify(kept)}::jsonb
        WHERE ${roster.own('p')} AND p.id = ${before.id}`.execute(tx)
      await expectChiefLeft(tx, roster, before)
      const detail = changesOf(
        effective(before.role_id, before.privileges) as Record<string, unknown>,
        effective(before.role_id, kept) as Record<string, unknown>,
      )
      await roster.audit(tx, {
        action: 'staff.privileges_changed',
        subject: { kind: 'person', id: before.id },
        person: before.id,
        detail,
      })
      return { success: true as const, message: say`The privileges of ${nameOf(before)} were saved.` }
    })
  })

/** @throws 422 for a bit that the sub-module does not have */
function expectLabelled(privileges: Privileges): void {
  for (const [policy, mask] of Object.entries(privileges))
    if ((mask & ~labelledMask(policy as PolicyName)) !== 0)
      throw rejected(say`There is no such right in ${policy}. Load the page again.`)
}
