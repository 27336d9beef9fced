import { send } from './call.ts'
import { go } from './go.ts'
import { forgetSession } from './session.ts'

/**
 * Ends the session on the server and in the browser (spec 4.10). The session in the browser ends even if the server
 * can't be reached.
 */
export async function signOut(signIn: '/sign-in' | '/admin/sign-in'): Promise<void> {
  await send('/api/v2/logout', { method: 'GET' }).catch(() => {})
  forgetSession()
  if (signIn === '/admin/sign-in') sessionStorage.clear()
  go(signIn)
}
