import { auditCompany, auditPlatform, type AuditEntry } from '../../../server/audit.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { endSession } from '../../../server/sessions.ts'
import { signOut } from '../contract.ts'

/** Ends the caller's session and invalidates its token. */
export const signOutCall = implement(signOut, async (call) => {
  const { context } = call
  const session = signedIn(call)
  const { companyId } = session
  const auditEntry: AuditEntry = { action: 'sign_out', subject: { kind: 'person', id: session.personId } }
  if (companyId === null)
    await context.acrossCompanies(async (tx) => {
      await endSession(tx, context.clock, session)
      await auditPlatform(tx, context.clock, call, auditEntry)
    })
  else
    await context.inCompany(companyId, async (tx) => {
      await endSession(tx, context.clock, session)
      await auditCompany(tx, context.clock, companyId, call, auditEntry)
    })
  return { success: true as const }
})
