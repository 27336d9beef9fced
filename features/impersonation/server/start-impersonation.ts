import { auditCompany } from '../../../server/audit.ts'
import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notAllowed, Refusal } from '../../../server/errors.ts'
import { actorStillMay, seesOnly } from '../../../server/impersonation.ts'
import { startImpersonatedSession, findSessionByHash, hashSecret, IMPERSONATING_UN } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { startImpersonation } from '../contract.ts'
import { seenAs } from './check-privilege.ts'

export const TOO_LATE = 'This link was already used or is more than 60 seconds old. Close this window and start again.'
const ENDED =
  'You no longer have permission to impersonate here. Sign in again, or request the privilege "Masquerade as user".'

/**
 * Exchanges a code for an impersonated session. The target and the impersonator come only from the code, which is valid
 * for one company. If municipality staff requested the code, it works only in their own session.
 */
export const startImpersonationCall = implement(startImpersonation, async (call) => {
  const { company, context } = call
  const started = await call.inCompany((tx) => redeem(tx, call))
  if (!started) throw new Refusal(403, 'too_late', TOO_LATE)
  if (started === 'stranger')
    throw notAllowed(
      'This link was created in a different session. Close this window and start again from your own session.',
    )
  // This check runs after the commit, because it looks up the impersonator on another connection. The caller gets the
  // token only after the check.
  const { session, token, handOff, kind } = started
  if (!session || !(await actorStillMay(context, session))) throw new Refusal(403, 'not_allowed', ENDED)
  return {
    success: true as const,
    token,
    user: { id: session.personId, company_id: company.id, role_id: IMPERSONATING_UN as 999 },
    profileName: 'IP' as const,
    privileges: { ...session.privileges },
    expire_time: session.expiresAt.toISOString(),
    impersonator: session.impersonation?.actorName ?? '',
    impersonated:
      session.kind === 'citizen' || seesOnly(session)
        ? `${session.firstName} ${session.lastName}`.trim()
        : company.name,
    of: session.kind === 'citizen' ? ('citizen' as const) : ('municipality' as const),
    isPreview: Boolean(session.impersonation?.preview),
    email: session.impersonation?.preview?.email ?? '',
    opener: originOf(context.config, kind === 'platform' ? 'admin' : company.subdomain),
    handOff,
  }
})

/** Marks the code as used and starts its session in one transaction, so that two servers can't use the same code. */
async function redeem(tx: Tx, call: Call<{ sessionToken: string }>) {
  const { company, context, session: ownSession } = call
  const now = context.clock.now()
  const used = await tx
    .updateTable('impersonation')
    .set({ used_at: now })
    .where('company_id', '=', company.id)
    .where('code_hash', '=', hashSecret(call.body.sessionToken))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'actor_kind', 'actor_id', 'actor_session', 'target_id', 'reason'])
    .executeTakeFirst()
  if (!used) return null
  if (used.actor_kind === 'municipality' && !ownSession?.tokenHash.equals(used.actor_session))
    return 'stranger' as const
  const actor = { id: used.id, actorId: used.actor_id }
  const { token, tokenHash } = await startImpersonatedSession(tx, context, company.id, used.target_id, actor, call)
  const session = await findSessionByHash(tx, context, tokenHash, company.id)
  await auditCompany(
    tx,
    context.clock,
    company.id,
    { session, requestId: call.requestId },
    {
      action: 'impersonation.entered',
      subject: seenAs(company.id, used.target_id),
      detail: { reason: used.reason, impersonation: used.id },
    },
  )
  return { session, token, handOff: `${company.id}-${used.id}`, kind: used.actor_kind }
}
