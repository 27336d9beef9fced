import { HAND_OFF_PREFIX } from '../../../shared/impersonation.ts'
import { call } from '../../../web/call.ts'
import { asked, type StartedImpersonation } from '../../../web/office/begin-impersonation.ts'
import { currentSession } from '../../../web/session.ts'
import { checkPrivilege, cleanUp } from '../../impersonation/contract.ts'

/** Where the window opens in which staff are a resident of their town: the second entry of specification 4.9. */
export async function openResident(userId: number, reason: string): Promise<StartedImpersonation> {
  const session = currentSession()
  const reqId = Number(session?.userId)
  const { sessionToken, adminToken, handOff } = await asked(call(checkPrivilege, { reqId, userId, reason }))
  const key = HAND_OFF_PREFIX + sessionToken
  localStorage.setItem(key, JSON.stringify({ userId, companyId: session?.companyId, UN: '999' }))
  const end = () => {
    // Still there where the window never opened.
    localStorage.removeItem(key)
    return call(cleanUp, { reqId, adminToken })
  }
  return { url: `/citizen/initialize-impersonation?at=${sessionToken}`, handOff, of: 'citizen', end }
}
