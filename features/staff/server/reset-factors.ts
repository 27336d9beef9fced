import { type Call, type Handler, implement } from '../../../server/call.ts'
import { PLATFORM } from '../../../server/audit.ts'
import { conflict } from '../../../server/errors.ts'
import { hasFactors, resetFactors } from '../../factors/api.ts'
import { AccountRealm } from '../../../server/accounts/account-realms.ts'
import type { StaffCalls } from '../contract.ts'
import { changingMember, nameOf } from './guards.ts'
import type { StaffDirectory } from './staff-directory.ts'
import { say } from '../../../shared/messages.ts'

/** Returns the account realm for the staff of the company or of the platform. */
export const realmAt = (call: Call, { scope }: StaffDirectory): AccountRealm =>
  new AccountRealm(call.context, scope === PLATFORM ? null : call.company)

/**
 * Resets two-factor authentication after a lost phone. Afterwards, the person can sign in with only the password and
 * set up two-factor authentication again.
 */
export const resetMemberFactors = (calls: StaffCalls, directoryOf: (call: Call) => StaffDirectory): Handler =>
  implement(calls.resetFactors, (call) => {
    const directory = directoryOf(call)
    const realm = realmAt(call, directory)
    return changingMember(call, calls.resetFactors, directory, async (tx, member) => {
      if (!(await hasFactors(tx, call.context, realm, member.id)))
        throw conflict('no_factors', say`${nameOf(member)} has no two-factor authentication or passkey to reset.`)
      await resetFactors(tx, call.context, realm, member)
      await directory.audit(tx, {
        action: 'staff.factors_reset',
        subject: { kind: 'person', id: member.id },
        person: member.id,
      })
      return { success: true as const, message: say`Two-factor authentication for ${nameOf(member)} was reset.` }
    })
  })
