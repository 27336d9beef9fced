import { municipalityUrl } from '../../../../shared/impersonation.ts'
import { call } from '../../../../web/call.ts'
import { asked, type Begun, ImpersonationFailure } from '../../../../web/office/begin-impersonation.ts'
import { currentSession } from '../../../../web/session.ts'
import { checkPrivilege, cleanUp, companySubdomain } from '../../../impersonation/contract.ts'

/** Where the window opens in which the administrator stands for a municipality (specification 4.9, 8.4). */
export async function openMunicipality(companyId: number, reason: string): Promise<Begun> {
  const me = Number(currentSession()?.userId)
  const { sessionToken, adminToken, handOff } = await asked(
    call(checkPrivilege, { companyId, reqId: me, userId: me, reason }),
  )
  const answer = await call(companySubdomain, { id: companyId }).catch(() => {
    throw new ImpersonationFailure('failed', 'Failed to get company subdomain')
  })
  if (typeof answer.subdomain !== 'string') throw new ImpersonationFailure('failed', 'Invalid subdomain response')
  const ids = { userId: String(me), targetCompanyId: String(companyId) }
  const url = municipalityUrl(location.origin, answer.subdomain, { ...ids, sessionToken, adminToken })
  if (!url) throw new ImpersonationFailure('failed', 'Failed to construct valid impersonation URL')
  return { url, handOff, of: 'municipality', end: () => call(cleanUp, { reqId: me, adminToken }) }
}
