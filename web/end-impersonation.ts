import { CHANNEL, ENDED_MESSAGE } from '../shared/impersonation.ts'
import { CallError, send } from './call.ts'
import { go } from './go.ts'
import { forgetSession, type Impersonation } from './session.ts'

/**
 * Ends an impersonated session on the server and in this tab, notifies the opening window, and closes this window (spec
 * 4.9). If the window stays open, shows a page of the company.
 * @throws {CallError} if the server was not reached, so the session is still open
 */
export async function endImpersonation({ opener, of, handOff }: Impersonation): Promise<void> {
  await send('/api/v2/logout', { method: 'GET' }).catch((error: unknown) => {
    // The session has already ended, so only the window must close.
    if (!(error instanceof CallError && error.status === 401)) throw error
  })
  // Only the known origin receives the message.
  if (of === 'municipality') (globalThis.opener as Window | null)?.postMessage(ENDED_MESSAGE, opener)
  else new BroadcastChannel(CHANNEL).postMessage({ ended: handOff })
  sessionStorage.clear()
  globalThis.close()
  if (globalThis.closed) return
  forgetSession()
  go(of === 'municipality' ? '/sign-in' : '/home')
}
