import { codeIn, HAND_OFF_PREFIX } from '../../../shared/impersonation.ts'
import { translated } from '../../../shared/words.ts'
import { call, CallError } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { keep } from '../../../web/session.ts'
import { beginImpersonation } from '../contract.ts'

const INCOMPLETE = 'This address is not complete. Close this window and start again from where you opened it.'

/** The code that the address leads to: within `?session=`, or named by `?at=` and kept by the window that opened this one. */
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

/** Exchanges the code of the address for this tab's session, once a page. @returns where to go on */
export const enter = (): Promise<string> => (entered ??= exchange())

async function exchange(): Promise<string> {
  const sessionToken = takeCode()
  // At once, and whatever comes of it: the code is no business of the history.
  setQuery({ session: null, at: null })
  if (!sessionToken) throw new CallError(400, 'malformed', translated(INCOMPLETE))
  const begun = await call(beginImpersonation, { sessionToken })
  const { token, user, privileges, expire_time, profileName, of, opener, handOff } = begun
  keep({
    ...{ tkn: token, auth: '1', userId: String(user.id), companyId: String(user.company_id), overSeeingEye: 'true' },
    ...{ privileges: JSON.stringify(privileges), profilename: profileName, UN: String(user.role_id) },
    ...{ tokenCreatedAt: new Date().toISOString(), tokenExpireTime: expire_time },
    impersonation: JSON.stringify({ by: begun.impersonator, as: begun.impersonated, of, opener, handOff }),
  })
  return of === 'municipality' ? '/municipality' : '/home'
}
