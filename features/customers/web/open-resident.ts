import { HAND_OFF_PREFIX } from '../../../shared/impersonation.ts'
import { call } from '../../../web/call.ts'
import { reportRefusal, type StartedImpersonation } from '../../../web/office/start-impersonation.ts'
import { currentSession } from '../../../web/session.ts'
import { checkPrivilege, cleanUp } from '../../impersonation/contract.ts'

/** Opens the window for impersonating a resident of the staff member's company (the second entry in spec 4.9). */
export async function openResident(userId: number, reason: string): Promise<StartedImpersonation> {
  const session = currentSession()
  const reqId = Number(session?.userId)
  const { sessionToken, adminToken, handOff } = await reportRefusal(call(checkPrivilege, { reqId, userId, reason }))
  const key = HAND_OFF_PREFIX + sessionToken
  localStorage.setItem(key, JSON.stringify({ userId, companyId: session?.companyId, UN: '999' }))
  const end = () => {
    // The new window normally removes the key. If that window never opened, the key still exists.
    localStorage.removeItem(key)
    return call(cleanUp, { reqId, adminToken })
  }
  return { url: `/citizen/initialize-impersonation?at=${sessionToken}`, handOff, of: 'citizen', end }
}
