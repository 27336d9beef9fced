import { type Call, type Implemented, implement } from '../../../server/call.ts'
import { PLATFORM } from '../../../server/audit.ts'
import { conflict } from '../../../server/errors.ts'
import { hasFactors, resetFactors } from '../../factors/server/reset-factors.ts'
import { Door } from '../../../server/accounts/doors.ts'
import type { StaffCalls } from '../contract.ts'
import { expectReach, nameOf } from './guards.ts'
import { changing, findMember, type Roster } from './roster.ts'

/** The door at which a roster's people sign in. */
export const doorAt = (call: Call, { place }: Roster): Door =>
  new Door(call.house, place === PLATFORM ? null : call.company)

/** For somebody who lost their phone: their password alone signs them in, or leads to setting a second factor up anew. */
export const resetMemberFactors = (calls: StaffCalls, rosterOf: (call: Call) => Roster): Implemented =>
  implement(calls.resetFactors, (call) => {
    const roster = rosterOf(call)
    const door = doorAt(call, roster)
    return changing(call, calls.resetFactors.access, roster, async (tx, actor) => {
      const member = await findMember(tx, roster, call.body.personId)
      expectReach(actor, member, roster)
      if (!(await hasFactors(tx, call.house, door, member.id)))
        throw conflict('no_factors', `${nameOf(member)} has no second factor and no passkey.`)
      await resetFactors(tx, call.house, door, member)
      await roster.audit(tx, {
        action: 'staff.factors_reset',
        subject: { kind: 'person', id: member.id },
        person: member.id,
      })
      return { success: true as const, message: `The second factor of ${nameOf(member)} was taken off.` }
    })
  })
