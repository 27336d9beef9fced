import { impersonationUrl } from '../../shared/impersonation.ts'
import { say } from '../../shared/messages.ts'
import { reportRefusal, type StartedImpersonation, ImpersonationFailure } from '../office/start-impersonation.ts'
import { currentSession } from '../session.ts'

/** Calls that start and end an impersonation. Passed as a parameter, because `web` does not depend on features. */
export interface HandoffCalls {
  check: (body: { companyId: number; reqId: number; userId: number; reason: string }) => Promise<{
    sessionToken: string
    adminToken: string
    handOff: string
  }>
  subdomain: (body: { id: number }) => Promise<{ subdomain: string }>
  end: (body: { reqId: number; adminToken: string }) => Promise<unknown>
}

/**
 * Opens the window in which the administrator impersonates a municipality or one of its residents (spec 4.9, 8.4). A
 * null `userId` means the municipality.
 */
export async function openFromAdmin(
  calls: HandoffCalls,
  { companyId, userId }: { companyId: number; userId: number | null },
  reason: string,
): Promise<StartedImpersonation> {
  const me = Number(currentSession()?.userId)
  const of = userId === null ? ('municipality' as const) : ('citizen' as const)
  const { sessionToken, adminToken, handOff } = await reportRefusal(
    calls.check({ companyId, reqId: me, userId: userId ?? me, reason }),
  )
  const reply = await calls.subdomain({ id: companyId }).catch(() => {
    throw new ImpersonationFailure('failed', say`Failed to get company subdomain`)
  })
  if (typeof reply.subdomain !== 'string') throw new ImpersonationFailure('failed', say`Invalid subdomain response`)
  const ids = { userId: String(userId ?? me), targetCompanyId: String(companyId) }
  const url = impersonationUrl(location.origin, reply.subdomain, of, { ...ids, sessionToken, adminToken })
  if (!url) throw new ImpersonationFailure('failed', say`Failed to construct valid impersonation URL`)
  return { url, handOff, of, end: () => calls.end({ reqId: me, adminToken }) }
}
