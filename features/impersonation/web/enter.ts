import { codeIn, HAND_OFF_PREFIX } from '../../../shared/impersonation.ts'
import { translated } from '../../../shared/messages.ts'
import { call, CallError } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { storeKeys } from '../../../web/session.ts'
import { startImpersonation } from '../contract.ts'

const INCOMPLETE = 'This link is incomplete. Close this window and start again from the page where you opened it.'

/**
 * Reads the code from `?session=` or `?at=`. A code in `?at=` is valid only if the opening window stored an entry for
 * it in the browser.
 */
function takeCode(): string | null {
  const query = new URLSearchParams(location.search)
  const at = query.get('at')
  if (!at) return codeIn(query.get('session'))
  const key = HAND_OFF_PREFIX + at
  const entry = localStorage.getItem(key)
  localStorage.removeItem(key)
  return entry === null ? null : at
}

let entered: Promise<string> | undefined

/**
 * Exchanges the code in the URL for this tab's session. Runs once for each page load. @returns the path of the next
 * page
 */
export const enter = (): Promise<string> => (entered ??= exchange())

async function exchange(): Promise<string> {
  const sessionToken = takeCode()
  // Removes the code from the URL immediately, so that it never enters the browser history.
  setQuery({ session: null, at: null })
  if (!sessionToken) throw new CallError(400, 'malformed', translated(INCOMPLETE))
  const started = await call(startImpersonation, { sessionToken })
  const { token, user, privileges, expire_time, profileName, of, opener, handOff, isPreview, email } = started
  storeKeys({
    tkn: token,
    auth: '1',
    userId: String(user.id),
    companyId: String(user.company_id),
    overSeeingEye: 'true',
    privileges: JSON.stringify(privileges),
    profilename: profileName,
    ...(email && { email }),
    UN: String(user.role_id),
    tokenCreatedAt: new Date().toISOString(),
    tokenExpireTime: expire_time,
    impersonation: JSON.stringify({
      by: started.impersonator,
      as: started.impersonated,
      of,
      opener,
      handOff,
      isPreview,
    }),
  })
  return of === 'municipality' ? '/municipality' : '/home'
}
