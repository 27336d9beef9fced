import { auditCompany } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notAllowed } from '../../../server/errors.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { cleanUp } from '../contract.ts'

/** Ends the caller's open impersonated sessions and invalidates the codes that were not used. */
export const cleanUpCall = implement(cleanUp, async (call) => {
  const { context, body } = call
  const { personId, companyId } = signedIn(call)
  if (Number(body.reqId) !== personId) throw notAllowed('You can end only sessions that you started.')
  const end = (tx: Tx) => endOpen(tx, call, personId, companyId)
  const ended = companyId === null ? await context.acrossCompanies(end) : await context.inCompany(companyId, end)
  return { success: true as const, ended }
})

async function endOpen(
  tx: Tx,
  call: Call<{ adminToken?: string | undefined }>,
  actor: number,
  company: CompanyId | null,
): Promise<number> {
  const now = call.context.clock.now()
  const { adminToken } = call.body
  let ownRows = tx.selectFrom('impersonation').select(['company_id', 'id']).where('actor_id', '=', actor)
  if (company !== null) ownRows = ownRows.where('company_id', '=', company)
  if (adminToken) ownRows = ownRows.where('admin_code_hash', '=', hashSecret(adminToken))
  // Older sessions have already expired.
  const recent = await ownRows.where('created_at', '>', new Date(now.getTime() - 3_600_000)).execute()
  let ended = 0
  for (const { company_id, id } of recent) {
    const companyId = company ?? companyIdFrom('platform', company_id)
    await tx
      .updateTable('impersonation')
      .set({ used_at: now })
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .execute()
    const endedSessions = await tx
      .updateTable('session')
      .set({ ended_at: now })
      .where('company_id', '=', companyId)
      .where('impersonation_id', '=', id)
      .where('ended_at', 'is', null)
      .returning('id')
      .execute()
    if (endedSessions.length === 0) continue
    ended += endedSessions.length
    await auditCompany(tx, call.context.clock, companyId, call, {
      action: 'impersonation.ended',
      detail: { impersonation: id },
    })
  }
  return ended
}
