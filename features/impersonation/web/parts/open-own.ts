import { HAND_OFF_PREFIX } from '../../../../shared/impersonation.ts'
import { call } from '../../../../web/call.ts'
import { reportRefusal, type StartedImpersonation } from '../../../../web/office/start-impersonation.ts'
import { currentSession } from '../../../../web/session.ts'
import { checkPrivilege, cleanUp } from '../../contract.ts'

/**
 * Opens the window for impersonating a resident of the staff member's own company (the second entry in spec 4.9). With
 * `asStaff`, the window shows the portal as another staff member, and changes nothing.
 */
export async function openOwn(userId: number, reason: string, asStaff = false): Promise<StartedImpersonation> {
  const session = currentSession()
  const reqId = Number(session?.userId)
  const request = call(checkPrivilege, { reqId, userId, reason, ...(asStaff && { asStaff }) })
  const { sessionToken, adminToken, handOff } = await reportRefusal(request)
  const key = HAND_OFF_PREFIX + sessionToken
  localStorage.setItem(key, JSON.stringify({ userId, companyId: session?.companyId, UN: '999' }))
  const end = () => {
    // The new window normally removes the key. If that window never opened, the key still exists.
    localStorage.removeItem(key)
    return call(cleanUp, { reqId, adminToken })
  }
  const of = asStaff ? 'municipality' : 'citizen'
  return { url: `/${of}/initialize-impersonation?at=${sessionToken}`, handOff, of, end }
}
