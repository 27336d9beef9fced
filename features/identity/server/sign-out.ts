import { auditIn, auditPlatform, type Deed } from '../../../server/audit.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { endSession } from '../../../server/sessions.ts'
import { signOut } from '../contract.ts'

/** Ends the caller's session; its token is worth nothing from then on. */
export const signOutCall = implement(signOut, async (call) => {
  const { house } = call
  const session = signedIn(call)
  const { companyId } = session
  const deed: Deed = { action: 'sign_out', subject: { kind: 'person', id: session.personId } }
  if (companyId === null)
    await house.acrossCompanies(async (tx) => {
      await endSession(tx, house.clock, session)
      await auditPlatform(tx, house.clock, call, deed)
    })
  else
    await house.inCompany(companyId, async (tx) => {
      await endSession(tx, house.clock, session)
      await auditIn(tx, house.clock, companyId, call, deed)
    })
  return { success: true as const }
})
